"""Makes `dist/astrbot_plugin_annals.zip`, which AstrBot installs: `python pack.py [folder]`.

The client comes along in `vendor`, so that nothing but AstrBot is needed.
"""

import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
NAME = "astrbot_plugin_annals"
FILES = ("main.py", "capture.py", "tools.py", "metadata.yaml", "_conf_schema.json")
FILES += ("requirements.txt", "README.md")
LEFT_OUT = ("command", "histories", "__pycache__")


def pack(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{NAME}.zip"
    client = HERE.parent / "python" / "annals"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in FILES:
            packed.write(HERE / name, f"{NAME}/{name}")
        for path in sorted(client.rglob("*")):
            inner = path.relative_to(client)
            if path.is_file() and not set(inner.parts) & set(LEFT_OUT):
                packed.write(path, f"{NAME}/vendor/annals/{inner.as_posix()}")
    return target


if __name__ == "__main__":
    print(pack(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "dist"))
