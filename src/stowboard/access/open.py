"""The components of access, made from the settings."""

from stowboard.access.accounts.passwords import Passwords
from stowboard.access.oauth.applications.client_documents import ClientDocuments
from stowboard.access.sessions.cookies import Cookies
from stowboard.access.settings import AccessSettings
from stowboard.access.signing_keys import Installation
from stowboard.core.services import Services
from stowboard.core.signing import Keyring
from stowboard.db.database import Database
from stowboard.http.origin import Origins
from stowboard.http.outgoing.client import Outgoing
from stowboard.http.proxies import Proxies


def open_access(settings: AccessSettings, services: Services, installation: Installation) -> None:
    """Needs database, keyring, proxies and outgoing client. `Owners` is for the composition root to add."""
    services.add(AccessSettings, settings)
    services.add(Passwords, Passwords())
    origins = Origins(settings.public_url, services.use(Proxies))
    services.add(Cookies, Cookies(installation, services.use(Keyring), origins))
    documents = ClientDocuments(services.use(Database), services.use(Outgoing), settings.client_documents)
    services.add(ClientDocuments, documents)
