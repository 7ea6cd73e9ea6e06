"""Copies the docstrings of the compiled module into the stub, where editors read them.

``stub_docs.py`` writes the stub, and ``stub_docs.py --check`` fails if it differs.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import bonebox

STUB = Path(__file__).resolve().parents[1] / "python" / "bonebox" / "__init__.pyi"


def docstring(owner: object, name: str) -> "str | None":
    """The docstring of an item of the module or of a class; None for special methods and types of the stub alone."""
    item = None if name.startswith("_") else getattr(owner, name, None)
    text = getattr(item, "__doc__", None)
    return inspect.cleandoc(text) if text else None


def with_docs(source: str) -> str:
    """The stub with the docstrings of today in place of those that it has."""
    lines = source.splitlines()
    changes: "list[tuple[int, int, list[str]]]" = []

    def visit(node: "ast.FunctionDef | ast.ClassDef", owner: object) -> None:
        first, indent = node.body[0], " " * (node.col_offset + 4)
        has_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
        text = docstring(owner, node.name)
        quoted: "list[str]" = []
        if text:
            body = [f"{indent}{line}".rstrip() for line in text.splitlines()]
            body[0] = f'{indent}"""{body[0].strip()}'
            quoted = [*body[:-1], f'{body[-1]}"""'] if len(body) == 1 else [*body, f'{indent}"""']
        if isinstance(node, ast.FunctionDef):
            # `def f() -> int: ...` or a docstring in place of the dots.
            end = first.lineno - 1 if has_doc else (node.end_lineno or 0)
            head = lines[node.lineno - 1 : end]
            head[-1] = head[-1].removesuffix(" ...")
            changes.append((node.lineno - 1, node.end_lineno or 0, [*head, *quoted] if text else [*head[:-1], f"{head[-1]} ..."]))
        else:
            if text or has_doc:
                start = first.lineno - 1
                decorators = getattr(first, "decorator_list", [])
                start = min([start, *(one.lineno - 1 for one in decorators)])
                changes.append((start, (first.end_lineno or 0) if has_doc else start, quoted))
            for inner in node.body:
                if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                    visit(inner, getattr(owner, node.name, None))

    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            visit(node, bonebox)
    for start, end, new in sorted(changes, reverse=True):
        lines[start:end] = new
    return "\n".join(lines) + "\n"


def main() -> int:
    source = STUB.read_text()
    fresh = with_docs(source)
    if with_docs(fresh) != fresh:
        print("stub_docs.py: a second run would change the stub again")
        return 1
    if "--check" not in sys.argv:
        STUB.write_text(fresh)
    elif fresh != source:
        print(f"{STUB} has other docstrings than the module; run {Path(__file__).name} in an environment with the wheel")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
