"""How a space looks in a list, and the roles in one."""

from typing import get_args

from stowboard_client.access.spaces import Role

COLUMNS = ["id", "name", "role", "members"]
ROLES = get_args(Role)
