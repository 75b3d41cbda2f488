"""How much memory a measuring process has had."""

from __future__ import annotations

from pathlib import Path

STATUS = Path("/proc/self/status")


def highest_mb() -> float:
    """The most memory that this program has had, in MB.

    Not `ru_maxrss`: Linux keeps that across exec, so a process that a large one started would count the other's memory.
    """
    [line] = [line for line in STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024
