"""The components of access, made from the settings."""

from stowboard.access.accounts.passwords import Passwords
from stowboard.access.sessions.cookies import Cookies
from stowboard.access.settings import AccessSettings
from stowboard.access.signing_keys import Installation
from stowboard.core.services import Services
from stowboard.core.signing import Keyring
from stowboard.http.origin import Origins
from stowboard.http.proxies import Proxies


def open_access(settings: AccessSettings, services: Services, installation: Installation) -> None:
    """Needs the keyring and the proxies among the services. `Owners` is for the composition root to add."""
    services.add(AccessSettings, settings)
    services.add(Passwords, Passwords())
    origins = Origins(settings.public_url, services.use(Proxies))
    services.add(Cookies, Cookies(installation, services.use(Keyring), origins))
