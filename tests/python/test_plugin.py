"""pytest-hebb, with pytest, pytest-xdist and pytest-rerunfailures."""
import collections
import contextlib
import importlib.util
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

import hebb

for needed in ("pytest", "xdist", "pytest_rerunfailures"):
    if importlib.util.find_spec(needed) is None:
        print(f"hebb-test-skipped: Python's module {needed} is not installed (Debian: "
              "python3-pytest, python3-pytest-xdist, python3-pytest-rerunfailures)")
        raise unittest.SkipTest(needed)

import pytest
import pytest_hebb

EVERY_VERDICT = {
    "test_all.py": '''
        import pytest, unittest

        def test_passes(): pass
        def test_fails(): assert False
        @pytest.mark.skip
        def test_skipped(): pass
        @pytest.mark.xfail
        def test_xfails(): assert False
        @pytest.mark.xfail
        def test_xpasses(): pass
        @pytest.mark.xfail(strict=True)
        def test_xpasses_strictly(): pass
        @pytest.fixture
        def broken(): raise ValueError
        def test_setup_fails(broken): pass
        @pytest.fixture
        def breaks():
            yield
            raise ValueError
        def test_teardown_fails(breaks): pass
        def test_both_fail(breaks): assert False
        @pytest.mark.parametrize("value", ["a b", "a.b::c[d]", "ü", "", " x ", "line\\nbreak", "\\x1b"])
        def test_of(value): pass

        class TestOuter:
            class TestInner:
                def test_one(self): pass
            @pytest.mark.parametrize("n", [1, 2])
            def test_two(self, n): assert n == 1

        class Classic(unittest.TestCase):
            def test_three(self): pass
            def test_sub(self):
                with self.subTest(1): self.fail()
    ''',
    "sub/__init__.py": "",
    "sub/test_all.py": "def test_passes(): pass",
    "test_broken.py": "import nothing_like_this",
    "test_skips.py": "import pytest; pytest.skip('not here', allow_module_level=True)",
}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.db = os.path.join(self.folder, "h.db")

    def write(self, files):
        for name, text in files.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(text))

    def pytest(self, *arguments, code=0, env=None, **names):
        """Runs pytest; the tests that it ran, in their order."""
        command = [sys.executable, "-m", "pytest", "-p", "pytest_hebb", "-p", "no:cacheprovider",
                   "-v", *(arguments or ["--hebb=h.db"])]
        self.ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "TMPDIR": self.folder, **(env or {})})
        out = self.ran.stdout + self.ran.stderr
        self.assertEqual(self.ran.returncode, code, out)
        lines = self.ran.stdout.split("\n")
        with_verdict = [line for line in lines
                        if any(word in line for word in ("PASSED", "FAILED", "RERUN"))]
        return [one.rpartition("::")[2] for line in with_verdict for one in line.split()
                if "::" in one and not line.startswith(("FAILED", "ERROR"))]

    def learned(self, name):
        """The events of a database, but for their times and what times decide."""
        log = os.path.join(self.folder, "log.jsonl")
        with hebb.open(os.path.join(self.folder, name), create=False) as db:
            db.export(file=log)
        with open(log, encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
        for event in events:
            for name in ("at", "key", "input", "timestamp"):
                event.pop(name, None)
            if event["kind"] == "outcome":
                event.pop("id", None)
        return collections.Counter(json.dumps(event, sort_keys=True) for event in events)


class Reports(Case):
    def test_what_it_learns_is_what_the_report_says(self):
        self.write(EVERY_VERDICT)
        for _ in range(2):
            self.pytest("--hebb=h.db", "--junitxml=report.xml", "-o", "junit_family=xunit1",
                        "--continue-on-collection-errors", code=1)
            with hebb.open(os.path.join(self.folder, "other.db")) as other:
                other.ingest_files([os.path.join(self.folder, "report.xml")], format="junit",
                                   each=True)
        self.maxDiff = None
        ours, theirs = self.learned("h.db"), self.learned("other.db")
        self.assertEqual(list(ours - theirs), list(theirs - ours))
        with hebb.open(self.db) as db:
            ids = [test.id for test in db.list(type="TEST", limit=1000)]
            self.assertEqual(db.list(flaky=True).total, 0)
        for id in ("test_all.TestOuter.test_two[2]", "test_all.TestOuter.TestInner.test_one",
                   "sub.test_all.test_passes", "test_broken", "test_all.test_setup_fails"):
            self.assertIn(id, ids)
        self.assertNotIn("test_all.test_skipped", ids)
        # The order asks for them by the same ids.
        self.pytest("--collect-only", "-qq", "--continue-on-collection-errors", code=1)
        tests = [line for line in self.ran.stdout.split("\n") if "::" in line]
        asked = {pytest_hebb.test_id(mock.Mock(nodeid=nodeid), None) for nodeid in tests}
        self.assertLessEqual(set(ids) - {"test_broken"}, asked)

    def test_a_test_that_is_run_again_is_flaky(self):
        self.write({"test_a.py": '''
            import os
            def test_steady(): pass
            def test_flaky():
                if os.environ.get("BREAK") and not os.path.exists("seen"):
                    open("seen", "w").close()
                    assert False
        '''})
        self.pytest()
        ran = self.pytest("--hebb=h.db", "--reruns", "2", env={"BREAK": "1"})
        self.assertEqual(ran.count("test_flaky"), 2)
        with hebb.open(self.db) as db:
            [flaky] = db.list(flaky=True)
            self.assertEqual((flaky.id, flaky.verdict_changes), ("test_a.test_flaky", 2))
            self.assertEqual(db.stats().outcomes, 5)

    def test_nothing_is_reported_of_what_does_not_run(self):
        self.write({"test_a.py": "def test_a(): pass"})
        self.pytest("--hebb=h.db", "--collect-only")
        self.pytest("--hebb=h.db", "-k", "nothing", code=5)
        with hebb.open(self.db) as db:
            self.assertEqual(db.stats().events, 0)


class Order(Case):
    SUITE = {
        "test_a.py": "def test_1(): pass\ndef test_2(): pass\n",
        "test_b.py": "import os\ndef test_3(): pass\n"
                     "def test_4(): assert not os.environ.get('BREAK')\ndef test_5(): pass\n",
    }

    def test_what_failed_is_first_with_its_module(self):
        self.write(self.SUITE)
        self.assertEqual(self.pytest(), [f"test_{n}" for n in range(1, 6)])
        self.pytest("--hebb=h.db", code=1, env={"BREAK": "1"})
        self.write({"test_c.py": "def test_9(): pass\ndef test_8(): pass\n"})
        ran = self.pytest()
        self.assertEqual(ran[0], "test_4")
        self.assertEqual(set(ran[:3]), {"test_3", "test_4", "test_5"})
        self.assertEqual(ran[3:5], ["test_9", "test_8"])  # new ones as they are written
        self.assertEqual(set(ran[5:]), {"test_1", "test_2"})

    def test_with_workers_all_have_one_order_and_report_once(self):
        self.write(self.SUITE)
        self.pytest("--hebb=h.db", "-n", "2")
        self.pytest("--hebb=h.db", "-n", "2", code=1, env={"BREAK": "1"})
        with hebb.open(self.db) as db:
            self.assertEqual(db.stats().outcomes, 10)
        self.assertEqual(self.pytest("--hebb=h.db", "-n", "1")[0], "test_4")

    def test_a_budget_leaves_out_what_does_not_fit(self):
        self.write(self.SUITE)
        took = [("a", 1, 5), ("a", 2, 1), ("b", 3, 5), ("b", 4, 1), ("b", 5, 1)]
        cases = "".join(f'<testcase classname="test_{module}" name="test_{n}" time="{seconds}" '
                        f'file="test_{module}.py"/>' for module, n, seconds in took)
        with hebb.open(self.db) as db:
            db.ingest(content=f'<testsuite name="pytest">{cases}</testsuite>', format="junit",
                      each=True)
        self.assertEqual(set(self.pytest("--hebb=h.db", "--hebb-budget=3s")),
                         {"test_2", "test_4", "test_5"})
        self.assertIn("2 deselected", self.ran.stdout)

    def test_each_shard_has_a_part(self):
        self.write(self.SUITE)
        self.pytest()
        for n in (1, 2):  # each job has a copy
            shutil.copy(self.db, os.path.join(self.folder, f"{n}.db"))
        parts = [self.pytest(f"--hebb={n}.db", f"--hebb-shard={n}/2") for n in (1, 2)]
        self.assertEqual(sorted(parts[0] + parts[1]), [f"test_{n}" for n in range(1, 6)])
        self.assertTrue(parts[0] and parts[1])

    def test_a_test_with_the_name_of_a_task_is_in_one_shard(self):
        self.write(self.SUITE)
        with hebb.open(self.db) as db:
            db.add("A task", id="test_a.test_1")
        self.pytest()
        parts = []
        for n in (1, 2):
            shutil.copy(self.db, os.path.join(self.folder, f"{n}.db"))
            parts += self.pytest(f"--hebb={n}.db", f"--hebb-shard={n}/2")
        self.assertEqual(sorted(parts), [f"test_{n}" for n in range(1, 6)])

    def test_a_revision_is_no_option_of_git(self):
        self.write({"test_a.py": "def test_1(): pass"})
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        self.pytest("--hebb=h.db", "--hebb-changed=--output=made")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "made")))

    def test_what_failed_with_the_changed_files_is_first(self):
        self.write(self.SUITE)
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]

        def commit(name):
            self.write({name: "x = 1\n"})
            subprocess.run([*git, "add", name], cwd=self.folder, check=True)
            subprocess.run([*git, "commit", "-qm", name], cwd=self.folder, check=True)
        subprocess.run([*git, "init", "-q"], cwd=self.folder, check=True)
        commit("one.py")
        commit("two.py")
        self.pytest("--hebb=h.db", "--hebb-changed=HEAD^", code=1, env={"BREAK": "1"})
        for _ in range(3):
            self.pytest()
        with hebb.open(self.db) as db:
            self.assertEqual([edge.target for edge in db.neighbors("test_b.test_4", type="FAILS_WITH")],
                             ["two.py"])
        self.assertEqual(self.pytest("--hebb-changed=HEAD^", "--hebb=h.db")[0], "test_4")
        self.pytest("--hebb=h.db", "--hebb-changed=nothing")
        self.assertIn("no file counts as changed", self.ran.stdout)
        self.assertIn("reported to", self.ran.stdout)


class Failures(Case):
    def test_no_run_fails_with_hebb(self):
        self.write({"test_a.py": "def test_1(): pass\ndef test_2(): pass\n", "bad.db": "no database\n" * 99})
        for arguments in (["-W", "error"], ["-n", "2"]):
            self.assertEqual(sorted(self.pytest("--hebb=bad.db", *arguments)), ["test_1", "test_2"])
            self.assertIn("the tests run in pytest's order", self.ran.stdout)
            self.assertIn("the outcomes of this run are not reported", self.ran.stdout)
        self.assertEqual(self.pytest("--hebb=h.db", "--hebb-shard=9"), ["test_1", "test_2"])
        self.assertIn("the tests run in pytest's order", self.ran.stdout)

    def test_a_folder_of_tests_is_no_database(self):
        self.write({"tests/test_a.py": "def test_1(): pass"})
        self.pytest("--hebb", "tests", code=4)
        self.assertIn("write --hebb=DB", self.ran.stderr)


class Count:
    """A plugin that counts how often fixtures are set up that live longer than a test."""

    def __init__(self):
        self.counts = collections.Counter()
        self.ran = []

    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope != "function":
            self.counts[fixturedef.argname] += 1

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.ran.append(report.nodeid)


class Fixtures(Case):
    """Random suites with fixtures of all scopes, with and without parameters."""

    def suite(self, seed):
        choose = random.Random(seed)
        fixtures = [f"f{n}" for n in range(choose.randint(1, 4))]
        text = "import pytest\n"
        for n, name in enumerate(fixtures):
            scope = choose.choice(["session", "package", "module", "class"])
            params = f", params={list(range(choose.randint(2, 3)))}" if choose.random() < .7 else ""
            made_with = f", {fixtures[n - 1]}" if n and scope == "class" else ""
            text += (f"@pytest.fixture(scope='{scope}'{params})\n"
                     f"def {name}(request{made_with}): yield 1\n")
        files = {"conftest.py": text}
        for package in range(choose.randint(1, 2)):
            folder = f"p{seed}_{package}"
            if choose.random() < .7:
                files[f"{folder}/__init__.py"] = ""
            for module in range(choose.randint(1, 3)):
                text = "import pytest\n"
                if choose.random() < .5:
                    text += "@pytest.fixture(scope='module', autouse=True)\ndef own(): yield 1\n"

                def arguments(*first):
                    return ", ".join([*first, *(one for one in fixtures if choose.random() < .5)])

                for n in range(choose.randint(1, 4)):
                    if choose.random() < .4:
                        text += f"class TestC{n}:\n"
                        for k in range(choose.randint(1, 3)):
                            text += f"    def test_{k}({arguments('self')}): pass\n"
                    else:
                        text += f"def test_{n}({arguments()}): pass\n"
                files[f"{folder}/test_m{seed}_{package}_{module}.py"] = text
        return files

    def run_in_process(self, seed, places=None):
        for name in [one for one in sys.modules if one == "conftest" or f"{seed}_" in one]:
            del sys.modules[name]
        count = Count()
        arguments = ["-q", "-p", "no:cacheprovider", "--rootdir", self.folder, self.folder]
        plugins = [count]
        if places is not None:
            plugins.append(pytest_hebb)
            arguments.append(f"--hebb={self.db}")

        def ranked(_config, ids, _changed):
            shuffled = sorted(ids)
            random.Random(places).shuffle(shuffled)
            return {id: n for n, id in enumerate(shuffled)}, []

        with mock.patch.object(pytest_hebb, "ranked", ranked), \
                contextlib.redirect_stdout(io.StringIO()):
            self.assertIn(pytest.main(arguments, plugins=plugins), (0, 5))
        return count

    def test_none_is_set_up_more_often(self):
        moved = 0
        for seed in range(12):
            with self.subTest(seed=seed):
                shutil.rmtree(self.folder)
                self.write(self.suite(seed))
                before, after = self.run_in_process(seed), self.run_in_process(seed, places=seed)
                self.assertEqual(sorted(after.ran), sorted(before.ran))
                self.assertEqual(after.counts - before.counts, {})
                moved += after.ran != before.ran
        self.assertGreater(moved, 7)


if __name__ == "__main__":
    unittest.main()
