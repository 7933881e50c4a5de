"""Which wheel is taken, for this machine and for a runtime of Lambda."""

from pathlib import Path

import pytest

from infra.bundle_refusal import CannotBundle
from infra.bundle_target import here, lambda_runtime
from infra.bundle_wheels import Pin, Wheelhouse

PIN = Pin("thing", "1.0")


def best(folder: Path, runtime: str, *tags: str) -> str:
    """The tags of the wheel that is taken among several of one version."""
    for tag in tags:
        # An empty zip: only names matter here.
        (folder / f"thing-1.0-{tag}.whl").write_bytes(b"PK\x05\x06" + bytes(18))
    (wheel,) = Wheelhouse(folder).all_of([PIN], lambda_runtime(runtime))
    return wheel.path.stem.removeprefix("thing-1.0-")


X86 = "cp313-cp313-manylinux_2_28_x86_64"
ARM = "cp313-cp313-manylinux2014_aarch64"


def test_a_wheel_is_taken_for_the_architecture(tmp_path: Path) -> None:
    assert best(tmp_path, "python3.13", X86, ARM) == X86
    assert best(tmp_path, "python3.13-x86_64", X86, ARM) == X86
    assert best(tmp_path, "python3.13-arm64", X86, ARM) == ARM


def test_a_compiled_wheel_is_better_than_one_for_any_machine(tmp_path: Path) -> None:
    assert best(tmp_path, "python3.13", "py3-none-any", X86) == X86
    assert best(tmp_path, "python3.12", "py3-none-any", X86) == "py3-none-any"


def test_a_stable_interface_serves_later_pythons_but_not_earlier_ones(tmp_path: Path) -> None:
    stable = "cp312-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64"
    assert best(tmp_path, "python3.13", stable) == stable
    with pytest.raises(CannotBundle, match=r"no wheel for python3\.11 of thing==1\.0"):
        best(tmp_path, "python3.11", stable)


@pytest.mark.parametrize(("runtime", "is_loadable"), [("python3.11", False), ("python3.12", True)])
def test_a_wheel_must_not_want_a_newer_glibc_than_the_runtime_has(
    tmp_path: Path, runtime: str, is_loadable: bool
) -> None:
    newer = "py3-none-manylinux_2_34_x86_64"
    if is_loadable:
        assert best(tmp_path, runtime, newer) == newer
    else:
        with pytest.raises(CannotBundle, match="has no wheel"):
            best(tmp_path, runtime, newer)


def test_this_machine_takes_what_pip_would(tmp_path: Path) -> None:
    (tmp_path / "thing-1.0-py3-none-any.whl").write_bytes(b"PK\x05\x06" + bytes(18))
    assert here().is_running_python
    assert len(Wheelhouse(tmp_path).all_of([PIN], here())) == 1
