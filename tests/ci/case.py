"""What the tests of this folder share: packages, a project with tests, and questions to a database."""
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import packages
from packages import SOURCE

TESTS = 9  # of examples/ci/pytest


def program(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.releases = os.path.join(cls.shared, "releases")
        cls.package = os.path.join(cls.releases, "OWNER/hebb/releases/download", "v" + packages.version())
        os.makedirs(os.path.dirname(cls.package))
        packages.make(cls.package)
        # What the workflows call: Debian has no python, and pip would need a network.
        programs = os.path.join(cls.shared, "programs")
        os.mkdir(programs)
        program(os.path.join(programs, "python"), '#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
        program(os.path.join(programs, "pip"), "#!/bin/sh\n")
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{programs}:/usr/bin:{path}"
        cls.addClassCleanup(os.environ.__setitem__, "PATH", path)

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.project = os.path.join(self.folder, "project")
        shutil.copytree(os.path.join(SOURCE, "examples/ci/pytest"), self.project)
        self.git("init", "-q", "-b", "main")
        self.commit("first")

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], cwd=self.project,
                       check=True)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def break_wrap(self):
        """A commit after which test_long and test_word_longer_than_the_line of test_wrap.py fail."""
        path = os.path.join(self.project, "words.py")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        broken = text.replace("+ len(word) > width", "+ len(word) > width + 99")
        self.assertNotEqual(broken, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(broken)
        self.commit("break wrap")

    @contextlib.contextmanager
    def wrong_sum(self, end):
        """Another sum for the package whose name ends so."""
        path = os.path.join(self.package, "SHA256SUMS")
        with open(path, "rb") as file:
            right = file.read()
        lines = [b"0" * 64 + line[64:] if line.endswith(end.encode()) else line for line in right.split(b"\n")]
        self.write(path, b"\n".join(lines))
        try:
            yield
        finally:
            self.write(path, right)

    @staticmethod
    def write(path, content):
        with open(path, "wb") as file:
            file.write(content)

    @staticmethod
    def hebb(database, *arguments):
        return subprocess.run([os.environ["HEBB"], "--db", database, *arguments], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def outcomes(self, database):
        return json.loads(self.hebb(database, "--json", "stats"))["outcomes"]

    @staticmethod
    def order(log):
        """The test files in the order in which pytest ran them."""
        return re.findall(r"^(tests/\w+\.py) [.F]", log, re.M)
