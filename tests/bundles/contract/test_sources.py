"""Which files of the project ship with a function."""

from pathlib import Path

import pytest

from infra.bundle_refusal import CannotBundle
from infra.bundle_sources import sources
from tests.bundles.planted import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


ALWAYS = {
    "functions/__init__.py",
    "functions/one/__init__.py",
    "functions/one/app.py",
    "infra/queues.toml",
}


def test_a_function_ships_its_folder_and_one_door(project: Project) -> None:
    project.write("functions/one/handle.py", "")
    project.write("functions/two/__init__.py", "")
    project.write("tests/test_one.py", "")
    own = ALWAYS | {"functions/one/handle.py"}
    gcp = {"main.py", "requirements.txt", "functions/one/main.py"}
    assert project.shipped("gcp") == own | gcp
    assert project.shipped("aws") == own | {"functions/one/lambda_main.py"}


def test_what_is_imported_anywhere_in_the_code_ships_with_its_packages(project: Project) -> None:
    project.write("functions/one/app.py", "from shared.deep.er import thing\ndef app(): ...\n")
    project.write("shared/deep/__init__.py", "")
    project.write(
        "shared/deep/er.py",
        "import os\ndef thing():\n    from shared import lazy\n    import shared.other as o\n",
    )
    project.write("shared/lazy.py", "from .beside import x\nfrom . import besides\n")
    for name in ("beside", "besides", "other", "unused"):
        project.write(f"shared/{name}.py", "x = 1\n")
    shared = {name for name in sources(project.root, "one", "aws") if name.startswith("shared")}
    modules = {"beside", "besides", "deep/__init__", "deep/er", "lazy", "other", "__init__"}
    assert shared == {f"shared/{name}.py" for name in modules}


def test_what_only_type_checkers_import_stays_behind(project: Project) -> None:
    project.write(
        "functions/one/app.py",
        "import typing\nif typing.TYPE_CHECKING:\n    import shared.types\n"
        "else:\n    import shared.real\ndef app(): ...\n",
    )
    project.write("shared/types.py", "")
    project.write("shared/real.py", "")
    shipped = sources(project.root, "one", "aws")
    assert "shared/real.py" in shipped
    assert "shared/types.py" not in shipped


def test_files_beside_the_code_ship_with_their_package_only(project: Project) -> None:
    project.write("functions/one/app.py", "import shared.told.library\ndef app(): ...\n")
    for name in ("__init__.py", "library.py", "hello.md", "list.txt", ".hidden", "old.md~"):
        project.write(f"shared/told/{name}", "")
    project.write("shared/silent/__init__.py", "")
    project.write("shared/silent/hello.md", "")
    shipped = sources(project.root, "one", "aws")
    told = {"__init__.py", "library.py", "hello.md", "list.txt"}
    assert {name for name in shipped if "told" in name} == {f"shared/told/{name}" for name in told}
    assert not [name for name in shipped if "silent" in name]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import functions.two.app", "functions never import each other"),
        ("from shared.nowhere import x", "shared.nowhere is imported, but there is no such module"),
        ("import importlib; importlib.import_module(name)", "app.py:1 imports by a computed name"),
    ],
)
def test_code_whose_imports_cannot_ship_is_refused(project: Project, code: str, said: str) -> None:
    project.write("functions/two/__init__.py", "")
    project.write("functions/two/app.py", "")
    project.write("functions/one/app.py", code)
    with pytest.raises(CannotBundle, match=said):
        sources(project.root, "one", "aws")
