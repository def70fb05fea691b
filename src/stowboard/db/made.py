"""The things that a person or a token has made, in one space or in all: chosen alike by every room that ends them."""

import msgspec


class MadeThings(msgspec.Struct, frozen=True, kw_only=True):
    """Each member that is given narrows the choice."""

    space: str | None = None
    person: str | None = None
    #: The grant, the OAuth client or the token made by hand that they were made with.
    through: str | None = None
    #: Only those of people who are no members of the space.
    outsiders: bool = False

    def where(
        self, space: str = "space = {}", person: str = "created_by", through: str = "made_through", first: int = 1
    ) -> tuple[str, list[str]]:
        """A condition of a statement, whose arguments begin at `$first`, and these arguments."""
        conditions, arguments = [], list[str]()
        for condition, value in (
            (space, self.space), (f"{person} = {{}}", self.person), (f"{through} = {{}}", self.through),
        ):  # fmt: skip
            if value is not None:
                conditions.append(condition.format(f"${first + len(arguments)}"))
                arguments.append(value)
        if self.outsiders:
            inside = f"SELECT 1 FROM space_member AS m WHERE m.space_id = ${first} AND m.member = {person}"
            conditions.append(f"NOT EXISTS ({inside})")
        return " AND ".join(conditions), arguments


def made_with_living(value: str) -> str:
    """A condition of a statement: the grant, OAuth client or token of this column or parameter has not ended."""
    return (
        f"({value} = '' OR EXISTS (SELECT 1 FROM access_token WHERE id = {value} AND revoked_at IS NULL)"
        f" OR EXISTS (SELECT 1 FROM oauth_grant WHERE id = {value} AND revoked_at IS NULL)"
        f" OR EXISTS (SELECT 1 FROM oauth_client WHERE id = {value} AND deleted_at IS NULL))"
    )
