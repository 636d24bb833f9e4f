"""The wheels: built without a network, installed into empty environments, and their examples run."""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = os.environ["HEBB_SOURCE"]
PACKAGE = os.environ["PYTHONPATH"]
TAG = "manylinux_2_31_x86_64"

if importlib.util.find_spec("ensurepip") is None:
    print("hebb-test-skipped: Python cannot make environments (Debian: python3-venv)")
    raise unittest.SkipTest("ensurepip")

USER_PROGRAM = """\
import asyncio
from datetime import datetime
from typing import List, Optional

import hebb
import hebb.aio
from hebb.operations import RankedTask


def names(db: hebb.Database) -> List[str]:
    tasks: hebb.Results[RankedTask] = db.rank(limit=5, why=True)
    due: Optional[datetime] = tasks[0].due_at
    assert due is None
    for row in db.stream("rank", limit=5):
        place: int = row.rank
        assert place > 0
    try:
        db.outcome("nothing", "failure")
    except hebb.NotFound as error:
        field: Optional[str] = error.field
        assert field == "id"
    return [task.name for task in tasks]


async def later(path: str) -> List[str]:
    async with hebb.aio.open(path) as db:
        return [task.name for task in await db.rank()] + [row.id async for row in db.stream("list")]


with hebb.open("typed.db") as db:
    db.add("A task", id="t-1", estimate="2h")
    assert names(db) == ["A task"]
assert asyncio.run(later("typed.db")) == ["A task", "t-1"]
"""
WRONG = {
    "db.rank(limit='five')": "arg-type",
    "db.outcome('t-1', 'sucess')": "arg-type",
    "db.rank()[0].nmae": "attr-defined",
    "db.rank()[0].name = 'x'": "assignment",
    "db.rank(limti=5)": "call-arg",
    "n: int = db.rank()[0].due_at": "assignment",
}


def run(*command, cwd, env=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "HOME": cwd, **(env or {})})
    if done.returncode:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def python_blocks(page):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as text:
        return re.findall(r"```python\n(.*?)```", text.read(), re.DOTALL)


class Wheels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.wheels = os.path.join(cls.folder, "wheels")
        cls.build(cls.wheels)
        run(sys.executable, "-m", "venv", "env", cwd=cls.folder)
        cls.python = os.path.join(cls.folder, "env/bin/python")
        run(cls.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
            *glob.glob(cls.wheels + "/*.whl"), cwd=cls.folder)

    @classmethod
    def build(cls, folder):
        run(sys.executable, os.path.join(SOURCE, "python/build_wheel.py"), "1.2.3", PACKAGE,
            os.path.realpath(os.path.join(PACKAGE, "hebb/libhebb.so.0")), folder, cwd=cls.folder)

    def test_equal_input_gives_equal_bytes(self):
        names = sorted(os.listdir(self.wheels))
        self.assertEqual(names, [f"hebb_engine-1.2.3-py3-none-{TAG}.whl",
                                 "pytest_hebb-1.2.3-py3-none-any.whl"])
        again = os.path.join(self.folder, "again")
        self.build(again)
        for name in names:
            with open(os.path.join(self.wheels, name), "rb") as one, \
                    open(os.path.join(again, name), "rb") as other:
                self.assertEqual(one.read(), other.read())

    def test_it_holds_what_it_needs(self):
        with zipfile.ZipFile(glob.glob(self.wheels + "/hebb_engine*")[0]) as wheel:
            names = set(wheel.namelist())
            metadata = wheel.read("hebb_engine-1.2.3.dist-info/METADATA").decode()
        self.assertLessEqual({"hebb/__init__.py", "hebb/operations.py", "hebb/py.typed",
                              "hebb/libhebb.so.0", "hebb_engine-1.2.3.dist-info/LICENSE"}, names)
        self.assertIn("# hebb for Python", metadata)
        shown = run(self.python, "-m", "pip", "show", "--files", "hebb-engine", cwd=self.folder)
        self.assertIn("Version: 1.2.3", shown)
        self.assertIn("hebb/libhebb.so.0", shown)

    def test_the_examples_of_the_pages_run(self):
        for page in ("python/README.md", "docs/languages.md"):
            blocks = python_blocks(page)
            self.assertTrue(blocks, page)
            with tempfile.TemporaryDirectory() as folder:
                for block in blocks:
                    run(self.python, "-c", block, cwd=folder)

    def test_the_library_is_the_one_beside_it(self):
        library = "import hebb._library as l; print(l.library()._name)"
        self.assertEqual(os.path.dirname(run(self.python, "-c", library, cwd=self.folder).strip()),
                         run(self.python, "-c", "import hebb; print(hebb.__path__[0])",
                             cwd=self.folder).strip())

    def test_pytest_finds_the_plugin(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("pytest is not installed (Debian: python3-pytest)")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test_a.py"), "w", encoding="utf-8") as file:
                file.write("def test_a(): pass\n")
            site = os.path.dirname(run(self.python, "-c", "import hebb; print(hebb.__path__[0])",
                                       cwd=folder).strip())
            out = run(sys.executable, "-m", "pytest", "--hebb=h.db", cwd=folder,
                      env={"PYTHONPATH": site})
            self.assertIn("hebb: reported to", out)

    def test_a_typed_program_is_as_mypy_wants_it(self):
        mypy = shutil.which("mypy", path="/usr/bin:" + os.environ["PATH"])
        if mypy is None:
            self.skipTest("mypy is not installed (Debian: mypy)")
        with tempfile.TemporaryDirectory() as folder:
            def check(text):
                with open(os.path.join(folder, "program.py"), "w", encoding="utf-8") as file:
                    file.write(text)
                return subprocess.run([mypy, "--strict", "--python-executable", self.python,
                                       "program.py"], cwd=folder, capture_output=True, text=True)

            good = check(USER_PROGRAM)
            self.assertEqual(good.returncode, 0, good.stdout + good.stderr)
            run(self.python, "program.py", cwd=folder)
            bad = check("import hebb\n\ndb = hebb.open()\n" + "".join(f"{line}\n" for line in WRONG))
            for number, code in enumerate(WRONG.values(), 4):
                self.assertRegex(bad.stdout, rf"program.py:{number}: error: .*\[{code}\]")
            package = subprocess.run([mypy, "--strict", os.path.join(PACKAGE, "hebb")], cwd=folder,
                                     capture_output=True, text=True)
            self.assertEqual(package.returncode, 0, package.stdout)


if __name__ == "__main__":
    unittest.main()
