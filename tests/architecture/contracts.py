"""Import contracts that go by what modules are called. pyproject.toml states them; lint-imports checks them."""

from fnmatch import fnmatchcase
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class ByName(Contract):
    """Modules whose names match `modules`, and none of `but`, import nothing that matches `never`.

    `*` stands for anything, dots included. Each contract covers files that are yet to be written.
    """

    type_name = "by_name"

    modules = fields.ListField(subfield=fields.StringField())
    but = fields.ListField(subfield=fields.StringField(), required=False)
    never = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        modules: Any = self.modules
        bound = [name for name in sorted(graph.modules) if _matches(name, modules) and not _matches(name, self.but)]
        if not bound:
            raise ValueError(f"{self.name}: no module matches {modules}.")
        broken = [
            (name, imported)
            for name in bound
            for imported in sorted(graph.find_modules_directly_imported_by(name))
            if _matches(imported, self.never)
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} is not allowed to import {imported}.", bold=False)


def _matches(name: str, patterns: Any) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns or ())
