"""The import rules hold, and they would notice."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT

BREACHES = {
    "domain reaches up": ("shared/domain/planted.py", "import shared.stores.firestore"),
    "a function imports another": (
        "functions/build_context/planted.py",
        "import functions.evolve_group.app",
    ),
    "the product knows infrastructure": ("shared/runtime/planted.py", "import infra.local"),
    "an emulator knows the product": ("infra/emulators/planted.py", "import shared.errors"),
    "a module behind the door of language": (
        "shared/domain/planted.py",
        "import shared.language.words",
    ),
    "a room nobody listed": ("shared/helpers/__init__.py", ""),
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    for name in ("functions", "shared", "infra"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize("breach", BREACHES)
def test_a_planted_breach_is_found(copy: Path, breach: str) -> None:
    name, code = BREACHES[breach]
    planted = copy / name
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(f'"""Planted."""\n\n{code}\n')
    try:
        assert lint(copy).returncode != 0
    finally:
        planted.unlink()
        if planted.name == "__init__.py":
            planted.parent.rmdir()
