"""Where an asset is: its public address, or a signed one for a while."""

from stowboard_cli.stow import Stow


def address_of(stow: Stow, asset_id: str, transform_class: str | None, seconds: int | None) -> str:
    asset = stow.client.assets.get(asset_id)
    if asset.visibility == "public" and seconds is None:
        return stow.client.delivery.resolve(asset_id, transform_class=transform_class).url
    return stow.client.delivery.url(asset_id, transform_class=transform_class, expires_in=seconds).url
