"""A small project and small wheels, for what must be refused and for what ships."""

import zipfile
from pathlib import Path

from infra.bundle import main

FILES = {
    "infra/functions.toml": "[one]\n[two]\n",
    "infra/queues.toml": "",
    "functions/__init__.py": "",
    "functions/one/__init__.py": "",
    "functions/one/main.py": "from functions.one.app import app as one\n",
    "functions/one/lambda_main.py": "from functions.one.app import app as handler\n",
    "functions/one/app.py": "def app(): ...\n",
    "shared/__init__.py": "",
    "requirements/one-gcp.txt": "",
    "requirements/one-aws.txt": "",
}


class Project:
    """A project in a folder: one function, no dependencies, until a test adds to it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.out = root / "dist"
        self.wheelhouse = root / "wheelhouse"
        self.wheelhouse.mkdir(parents=True)
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def depend_on(self, *wheels: str) -> None:
        """Pin each wheel of the form name-version-tags.whl, for both clouds."""
        pins = "".join("{}=={}\n".format(*wheel.split("-")[:2]) for wheel in wheels)
        self.write("requirements/one-gcp.txt", pins)
        self.write("requirements/one-aws.txt", pins)

    def plant(self, wheel: str, files: dict[str, bytes]) -> None:
        """Put a wheel into the wheelhouse and depend on it alone."""
        with zipfile.ZipFile(self.wheelhouse / wheel, "w", zipfile.ZIP_DEFLATED) as opened:
            for name, content in files.items():
                opened.writestr(name, content)
        self.depend_on(wheel)

    def bundle(self, cloud: str, *options: str) -> int:
        folders = ["--root", str(self.root), "--out", str(self.out)]
        folders += ["--wheelhouse", str(self.wheelhouse)]
        return main(["one", "--cloud", cloud, *folders, *options])

    def shipped(self, cloud: str) -> set[str]:
        """The files of the bundle, bytecode left aside."""
        assert self.bundle(cloud) == 0
        with zipfile.ZipFile(self.out / f"one-{cloud}.zip") as opened:
            return {name for name in opened.namelist() if "__pycache__" not in name}
