"""A folder with what scripts/package makes for jobs of CI, of the program and the library of the build tree."""
import hashlib
import os
import re
import shutil
import subprocess
import sys

SOURCE = os.environ["HEBB_SOURCE"]


def version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"^project\(hebb VERSION ([0-9.]+)", file.read(), re.M).group(1)


def make(folder):
    """Makes the packages in the folder, or takes those of HEBB_PACKAGES."""
    if os.environ.get("HEBB_PACKAGES"):
        shutil.copytree(os.environ["HEBB_PACKAGES"], folder)
        return
    os.makedirs(folder)
    name = f"hebb-{version()}-linux-x86_64"
    program = os.path.join(folder, name, "bin", "hebb")
    os.makedirs(os.path.dirname(program))
    shutil.copy(os.environ["HEBB"], program)
    subprocess.run(["tar", "cf", f"{name}.tar.gz", "-I", "gzip -1", name], cwd=folder, check=True)
    shutil.rmtree(os.path.join(folder, name))
    subprocess.run([sys.executable, os.path.join(SOURCE, "python", "build_wheel.py"), version(),
                    os.environ["HEBB"], os.environ["HEBB_LIBRARY"], folder],
                   check=True, stdout=subprocess.DEVNULL)
    shutil.copy(os.path.join(SOURCE, "ci", "hebb-ci"), folder)
    write_sums(folder)


def write_sums(folder):
    lines = []
    for file in sorted(set(os.listdir(folder)) - {"SHA256SUMS"}):
        with open(os.path.join(folder, file), "rb") as content:
            lines.append(f"{hashlib.sha256(content.read()).hexdigest()}  {file}\n")
    with open(os.path.join(folder, "SHA256SUMS"), "w", encoding="utf-8") as sums:
        sums.writelines(lines)
