"""The components of access, made from the settings."""

from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.passwords import Passwords
from stowboard.access.oauth.applications.client_documents import ClientDocuments
from stowboard.access.sessions.cookies import Cookies
from stowboard.access.settings import AccessSettings
from stowboard.access.signing_keys import Installation
from stowboard.access.upstream.provider import IdentityProvider
from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.core.signing import Keyring
from stowboard.db.database import Database
from stowboard.events.mail.mailer import Mailer
from stowboard.http.origin import Origins
from stowboard.http.outgoing.client import Outgoing
from stowboard.http.proxies import Proxies


def open_access(settings: AccessSettings, services: Services, installation: Installation) -> None:
    """Needs database, keys, proxies, mailer and outgoing client. `Owners` is for the composition root to add."""
    services.add(AccessSettings, settings)
    services.add(Passwords, Passwords())
    services.add(Letters, Letters(services.use(Mailer), services.use(Sealing)))
    origins = Origins(settings.public_url, services.use(Proxies))
    services.add(Cookies, Cookies(installation, services.use(Keyring), origins))
    documents = ClientDocuments(services.use(Database), services.use(Outgoing), settings.client_documents)
    services.add(ClientDocuments, documents)
    services.add(IdentityProvider, IdentityProvider(settings.provider, services.use(Outgoing)))
