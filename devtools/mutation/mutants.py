"""The mutants: a copy of the work tree in which every function of the pure modules has its mutants beside it."""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import asdict, dataclass
from pathlib import Path

from mutmut.mutation.file_mutation import MutatedFile, mutate_file_contents
from mutmut.utils.format_utils import get_mutant_name, orig_function_and_class_names_from_key

from devtools.mutation import scope

LISTED = "mutants.json"
_ORIGINAL = "__mutmut_orig"
_MUTANT = "__mutmut_"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutant. `name` is mutmut's, `was` and `becomes` the lines in which it differs from the function."""

    name: str
    module: str
    function: str
    was: str
    becomes: str


def make(root: Path, copy: Path, chosen: tuple[str, ...] = ()) -> list[Mutant]:
    """Write the copy, mutated, and `mutants.json` in it."""
    _copied(root, copy)
    # mutmut reads its settings where it runs, and will not run without.
    (copy / "setup.cfg").write_text("[mutmut]\nsource_paths=kafkaconsole\n", encoding="utf-8")
    found: list[Mutant] = []
    with chdir(copy):
        for module in scope.modules(root, chosen):
            mutated = mutate_file_contents(module, (root / module).read_text(encoding="utf-8"))
            (copy / module).write_text(mutated.code, encoding="utf-8")
            found += _listed(module, mutated)
    (copy / LISTED).write_text(json.dumps([asdict(mutant) for mutant in found]), encoding="utf-8")
    return found


def read(copy: Path) -> list[Mutant]:
    """The mutants of a copy."""
    return [Mutant(**row) for row in json.loads((copy / LISTED).read_text(encoding="utf-8"))]


def _copied(root: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in scope.COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy2(root / name, copy / name)


def _listed(module: str, mutated: MutatedFile) -> Iterator[Mutant]:
    lines = mutated.code.splitlines()
    source = {
        name: [line.strip().replace(name, "") for line in lines[span.start - 1 : span.end]]
        for name, span in mutated.line_span_by_function_name.items()
    }
    for name in mutated.mutant_names:
        mangled = name.partition(_MUTANT)[0]
        was, becomes = _difference(source[mangled + _ORIGINAL], source[name])
        function, owner = orig_function_and_class_names_from_key(name)
        told = f"{owner}.{function}" if owner else function
        yield Mutant(get_mutant_name(Path(module), name), module, told, was, becomes)


def _difference(original: Sequence[str], mutant: Sequence[str]) -> tuple[str, str]:
    """The lines in which two versions of a function differ, without their indentation."""
    matcher = difflib.SequenceMatcher(a=original, b=mutant, autojunk=False)
    changed = [one for one in matcher.get_opcodes() if one[0] != "equal"]
    was = " ".join(" ".join(original[start:stop]) for _, start, stop, _, _ in changed)
    becomes = " ".join(" ".join(mutant[start:stop]) for _, _, _, start, stop in changed)
    return was, becomes
