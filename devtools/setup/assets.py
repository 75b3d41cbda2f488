"""Front-end files: npm brings them by `package-lock.json`, and those that pages use are copied to `static/vendor/`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from devtools.setup import stamps, tools
from devtools.setup.errors import SetupRefused

# What is copied: below node_modules → below static/vendor. Each library's licence travels with it.
FILES = {
    "bootstrap/dist/css/bootstrap.min.css": "bootstrap/bootstrap.min.css",
    "bootstrap/dist/js/bootstrap.bundle.min.js": "bootstrap/bootstrap.bundle.min.js",
    "bootstrap/LICENSE": "bootstrap/LICENSE",
    "uplot/dist/uPlot.iife.min.js": "uplot/uPlot.iife.min.js",
    "uplot/dist/uPlot.min.css": "uplot/uPlot.min.css",
    "uplot/LICENSE": "uplot/LICENSE",
    "bootstrap-icons/LICENSE": "icons/LICENSE",
}
ICON_NAMES = "devtools/setup/icons.txt"
SPRITE = "icons/icons.svg"

_SOURCE_MAP = re.compile(r"^\s*(//|/\*)# sourceMappingURL=.*$", re.MULTILINE)
_SVG = re.compile(r"<svg[^>]*\sviewBox=\"(?P<box>[^\"]+)\"[^>]*>(?P<inside>.*)</svg>", re.DOTALL)


def make(root: Path) -> None:
    """Fill `static/vendor` unless its stamp fits; npm is neither needed nor started then.

    Raises SetupRefused when Node.js is missing, npm fails, or an icon's name is not in bootstrap-icons.
    """
    vendor = root / "static" / "vendor"
    made_from = stamps.digest(root / "package-lock.json", root / ICON_NAMES, Path(__file__))
    if stamps.fits(vendor / ".stamp", made_from):
        return
    tools.require([tools.NODE])
    print("Fetching front-end files with npm …", file=sys.stderr, flush=True)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    if subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode:
        raise SetupRefused("npm failed: mend what it says above, then try again.")
    copy(root, vendor)
    stamps.put(vendor / ".stamp", made_from)


def copy(root: Path, vendor: Path) -> None:
    """Copy what pages use from `node_modules`, and draw the chosen icons into one sprite."""
    shutil.rmtree(vendor, ignore_errors=True)
    modules = root / "node_modules"
    for source, target in FILES.items():
        content = (modules / source).read_text(encoding="utf-8")
        (vendor / target).parent.mkdir(parents=True, exist_ok=True)
        # Source maps are not copied, and the manifest of static files refuses a reference to a missing file.
        (vendor / target).write_text(_SOURCE_MAP.sub("", content), encoding="utf-8")
    (vendor / SPRITE).write_text(sprite(modules / "bootstrap-icons" / "icons", icon_names(root)), encoding="utf-8")


def icon_names(root: Path) -> list[str]:
    """Give the names of the icons that pages may use, from the list beside this file."""
    lines = (root / ICON_NAMES).read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def sprite(folder: Path, names: list[str]) -> str:
    """Draw one SVG with a `<symbol>` per icon, its id the icon's name, in the text's own colour."""
    symbols = []
    for name in names:
        path = folder / f"{name}.svg"
        drawing = _SVG.search(path.read_text(encoding="utf-8")) if path.exists() else None
        if drawing is None:
            raise SetupRefused(
                f"{ICON_NAMES} names the icon {name!r}, which bootstrap-icons does not have: correct the name."
            )
        inside = drawing["inside"].strip()
        symbols.append(f'<symbol id="{name}" viewBox="{drawing["box"]}" fill="currentColor">{inside}</symbol>')
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


if __name__ == "__main__":  # a stage of the image, where npm has run already
    here = Path(__file__).resolve().parents[2]
    copy(here, here / "static" / "vendor")
