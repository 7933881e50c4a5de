"""What is in the bundles: all that is needed, nothing else, and the same bytes each time."""

import hashlib
import shutil
import zipfile
import zlib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from infra.bundle import EPOCH, main
from infra.bundle_wheels import read_pins
from shared.config.deployment import FUNCTIONS
from tests.project import ROOT


def own_files(folder: Path) -> set[str]:
    """The bundle's files that come from this repository, bytecode left aside."""
    return {
        path.relative_to(folder).as_posix()
        for top in ("functions", "shared", "infra")
        for path in (folder / top).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


class Contents:
    """What the bundles of a cloud must hold, whichever cloud it is."""

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_a_bundle_holds_its_own_function_and_no_other(
        self, cloud: str, project: Path, bundles: Path, function: str
    ) -> None:
        own = own_files(bundles / f"{function}-{cloud}")
        door, other = ("main", "lambda_main") if cloud == "gcp" else ("lambda_main", "main")
        folder = project / "functions" / function
        modules = {path.relative_to(project).as_posix() for path in folder.glob("*.py")}
        assert f"functions/{function}/{door}.py" in own
        assert {name for name in own if name.startswith("functions/")} == (
            modules - {f"functions/{function}/{other}.py"} | {"functions/__init__.py"}
        )
        assert {name for name in own if name.startswith("infra/")} == {"infra/queues.toml"}
        has_platforms = any(name.startswith("shared/platforms/") for name in own)
        assert has_platforms == (function == "ingest_message")

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_prompts_ship_with_the_code_that_reads_them(
        self, bundles: Path, cloud: str, project: Path, function: str
    ) -> None:
        own = own_files(bundles / f"{function}-{cloud}")
        prompts = {
            path.relative_to(project).as_posix()
            for path in (project / "shared" / "prompts").iterdir()
            if path.suffix in (".md", ".txt")
        }
        assert len(prompts) >= 8
        assert "shared/prompts/library.py" not in own or prompts <= own

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_dependencies_stand_in_the_bundle_as_its_cloud_wants_them(
        self, bundles: Path, cloud: str, function: str
    ) -> None:
        folder = bundles / f"{function}-{cloud}"
        pins = read_pins(ROOT / "requirements" / f"{function}-{cloud}.txt")
        if cloud == "gcp":
            assert {path.name for path in folder.iterdir()} == {
                *("main.py", "requirements.txt", "functions", "shared", "infra")
            }
            assert read_pins(folder / "requirements.txt") == pins
        else:
            unpacked = {path.name.partition("-")[0] for path in folder.glob("*.dist-info")}
            assert set(map(canonicalize_name, unpacked)) == {pin.name for pin in pins}
            assert not (folder / "requirements.txt").exists()

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_the_zip_is_the_folder_without_anything_that_differs_between_machines(
        self, bundles: Path, cloud: str, function: str
    ) -> None:
        folder = bundles / f"{function}-{cloud}"
        with zipfile.ZipFile(folder.with_suffix(".zip")) as opened:
            entries = opened.infolist()
        files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
        assert [one.filename for one in entries] == sorted(files, key=lambda name: name.split("/"))
        assert {one.date_time for one in entries} == {EPOCH}
        assert {one.external_attr >> 16 for one in entries} == {0o100644}
        for one in entries:
            assert zlib.crc32(files[one.filename].read_bytes()) == one.CRC

    def test_the_same_sources_give_the_same_bytes(
        self, cloud: str, project: Path, scratch: Path
    ) -> None:
        """Again, from a copy elsewhere, with every wheel unpacked and compiled anew: all but one,
        which has as many files as the others together and nothing that they have not."""
        pins = (project / "requirements" / f"build_context-{cloud}.txt").read_text().splitlines()
        copy = shutil.copytree(project, scratch / "elsewhere" / "copy")
        fewer = copy / "fewer"
        fewer.mkdir()
        kept = [line for line in pins if not line.startswith("openai==")]
        assert len(kept) == len(pins) - 1
        (fewer / f"build_context-{cloud}.txt").write_text("\n".join(kept))
        digests = []
        for root, more in ((project, []), (copy, ["--unpacked", str(copy / "unpacked")])):
            out = copy / "out" / root.name
            places = ["--root", str(root), "--out", str(out), "--requirements", str(fewer)]
            assert main(["build_context", "--cloud", cloud, *places, *more]) == 0
            whole = (out / f"build_context-{cloud}.zip").read_bytes()
            digests.append(hashlib.sha256(whole).hexdigest())
        assert digests[0] == digests[1]

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_bytecode_ships_to_lambda_and_names_no_folder_of_this_machine(
        self, bundles: Path, cloud: str, project: Path, function: str
    ) -> None:
        folder = bundles / f"{function}-{cloud}"
        compiled = sorted(folder.rglob("*.pyc"))
        if cloud == "gcp":
            assert compiled == []
            return
        assert any("functions" in path.parts for path in compiled)
        assert any("pydantic" in path.parts for path in compiled)
        places = [str(place).encode() for place in (ROOT, project, bundles)]
        assert not [path for path in compiled if any(p in path.read_bytes() for p in places)]
