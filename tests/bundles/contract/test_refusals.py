"""A bundle that would not work is not made, and the message says what to do."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.bundle import main
from tests.bundles.planted import Project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    yield Project(tmp_path / "project")
    shutil.rmtree(tmp_path)  # one of them unpacks 251 MB


def refusal(project: Project, cloud: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert project.bundle(cloud) == 1
    left = list(project.out.iterdir()) if project.out.exists() else []
    assert left == [], "a refused bundle leaves nothing behind"
    return capsys.readouterr().err


@pytest.mark.parametrize("cloud", ["gcp", "aws"])
@pytest.mark.parametrize(
    ("top", "file"),
    [
        ("shared", "shared/__init__.py"),
        ("shared", "shared.py"),
        ("functions", "functions/thing.py"),
        ("functions", "functions.cpython-311-x86_64-linux-gnu.so"),
        ("shared", "evil-1.0.data/purelib/shared/__init__.py"),
    ],
)
def test_a_dependency_with_a_package_of_the_projects_own_name_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str], cloud: str, top: str, file: str
) -> None:
    project.plant("evil-1.0-py3-none-any.whl", {"evil/__init__.py": b"", file: b""})
    said = refusal(project, cloud, capsys)
    assert f"evil-1.0-py3-none-any.whl ships a top-level `{top}`" in said
    assert "take the package out of pyproject.toml" in said
    assert "make lock" in said


def test_a_dependency_with_such_a_name_further_down_is_taken(project: Project) -> None:
    project.plant("fine-1.0-py3-none-any.whl", {"fine/shared/__init__.py": b"", "share.py": b""})
    assert {"fine/shared/__init__.py", "share.py"} <= project.shipped("aws")


def test_more_than_lambda_takes_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.plant("huge-1.0-py3-none-any.whl", {"huge/weights.bin": bytes(251 * 1024 * 1024)})
    assert "one-aws would have 251.0 MB unzipped, and Lambda takes 250" in refusal(
        project, "aws", capsys
    )


def test_a_pin_without_a_wheel_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.plant("old-1.0-py3-none-any.whl", {"old.py": b""})
    project.depend_on("old-1.1-py3-none-any.whl")
    said = refusal(project, "aws", capsys)
    assert "wheelhouse has no wheel" in said
    assert "old==1.1; make setup fills it" in said


def test_a_wheel_of_another_machine_is_no_wheel(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.plant("far-1.0-cp27-cp27m-win32.whl", {"far.py": b""})
    assert "has no wheel" in refusal(project, "aws", capsys)


@pytest.mark.parametrize("line", ["thing>=1", "thing", "-r other.txt", "thing @ file:///tmp/x.whl"])
def test_a_requirement_that_is_not_pinned_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    project.write("requirements/one-aws.txt", f"# a comment\n{line}\n")
    said = refusal(project, "aws", capsys)
    assert f"one-aws.txt:2: {line!r} is not name==version; make lock" in said


def test_two_wheels_that_ship_different_files_under_one_name_are_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    wheels = ["left-1-py3-none-any.whl", "right-1-py3-none-any.whl"]
    for wheel in wheels:
        project.plant(wheel, {"both/__init__.py": b"", "both/table.txt": wheel.encode()})
    project.depend_on(*wheels)
    assert "both ship both/table.txt, and differ" in refusal(project, "aws", capsys)


def test_a_wheel_that_reaches_outside_its_folder_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.plant("sly-1-py3-none-any.whl", {"../../sly.py": b""})
    assert "would write outside its folder" in refusal(project, "aws", capsys)


def test_a_function_that_is_not_in_the_table_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["three", "--root", str(project.root)]) == 1
    assert "there is no function 'three'; there are one, two" in capsys.readouterr().err


def test_a_runtime_that_lambda_does_not_have_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.bundle("aws", "--lambda-runtime", "ruby3.4") == 1
    assert "'ruby3.4' is no runtime of Lambda" in capsys.readouterr().err
