#!/usr/bin/env python3
"""Builds the wheels hebb-engine and pytest-hebb, without a network or a build backend.

    python/build_wheel.py VERSION PROGRAM LIBRARY FOLDER

PROGRAM is hebb, which lists its operations; LIBRARY the libhebb.so.0 to put into the wheel, which
must be linked for glibc 2.31, or "-" for a wheel without, as a distribution has the library
elsewhere; FOLDER where the wheels go. Equal input gives equal bytes.
"""
from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import zipfile
from typing import Dict, Tuple

sys.dont_write_bytecode = True
import generate

HERE = os.path.dirname(os.path.abspath(__file__))

CLASSIFIERS = """\
Classifier: Development Status :: 4 - Beta
Classifier: License :: OSI Approved :: MIT License
Classifier: Programming Language :: Python :: 3
"""

Files = Dict[str, Tuple[bytes, int]]  # by name: the content and the mode


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def write_wheel(folder: str, name: str, version: str, tag: str, files: Files, metadata: str,
                description: bytes, more: Dict[str, str]) -> None:
    info = f"{name}-{version}.dist-info"
    files = dict(files)
    head = (f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n{metadata}"
            f"License: MIT\nRequires-Python: >=3.9\n{CLASSIFIERS}"
            "Description-Content-Type: text/markdown\n\n")
    files[f"{info}/METADATA"] = (head.encode() + description, 0o644)
    pure = "true" if tag.endswith("-any") else "false"
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: hebb\nRoot-Is-Purelib: {pure}\n"
                              f"Tag: {tag}\n".encode(), 0o644)
    files[f"{info}/LICENSE"] = (read(os.path.join(HERE, "..", "LICENSE")), 0o644)
    for file, text in more.items():
        files[f"{info}/{file}"] = (text.encode(), 0o644)
    record = ""
    for file, (content, _) in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{file},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    path = os.path.join(folder, f"{name}-{version}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, (content, mode) in files.items():
            entry = zipfile.ZipInfo(file)  # dated 1980: equal input gives equal bytes
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    print(path)


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    version, program, library, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    own = os.path.join(HERE, "hebb")
    files: Files = {f"hebb/{name}": (read(os.path.join(own, name)), 0o644)
                    for name in sorted(os.listdir(own)) if name.endswith((".py", ".typed"))}
    schemas = json.loads(subprocess.check_output([program, "api", "schemas"]))
    for name, text in generate.modules(schemas).items():
        files[f"hebb/{name}"] = (text.encode(), 0o644)
    tag = "py3-none-any"
    if library != "-":
        files["hebb/libhebb.so.0"] = (read(library), 0o755)
        tag = "py3-none-manylinux_2_31_x86_64"
    write_wheel(folder, "hebb_engine", version, tag, files,
                "Summary: Ranks open tasks and learns from how they went\n",
                read(os.path.join(HERE, "README.md")), {})
    write_wheel(folder, "pytest_hebb", version, "py3-none-any",
                {"pytest_hebb.py": (read(os.path.join(HERE, "pytest_hebb.py")), 0o644)},
                "Summary: pytest runs first the tests that are likely to fail\n"
                f"Requires-Dist: hebb-engine (=={version})\nRequires-Dist: pytest (>=7)\n"
                "Classifier: Framework :: Pytest\n",
                read(os.path.join(HERE, "README-pytest.md")),
                {"entry_points.txt": "[pytest11]\npytest_hebb = pytest_hebb\n"})


if __name__ == "__main__":
    main()
