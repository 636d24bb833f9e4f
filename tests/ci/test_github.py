"""action.yml and examples/ci/github.yml, run as GitHub runs them."""
import os
import tempfile
import unittest

import case
import packages
from at_once import at_once
from case import TESTS
from github import GitHub

WORKFLOW = os.path.join(packages.SOURCE, "examples/ci/github.yml")
BOTH = 2 * TESTS  # by the two jobs of its matrix


class OnGitHub(case.Case):
    def setUp(self):
        super().setUp()
        self.kept = os.path.join(self.folder, "kept")
        os.mkdir(self.kept)
        self.github = GitHub(self.kept, {"OWNER/hebb": packages.SOURCE}, self.releases)

        self.one = self.edited(('python: ["3.11", "3.13"]', 'python: ["3.11"]'))

    def run_all(self, **about):
        """All of the workflow with one job of tests."""
        return self.github.run(self.one, self.project, **about).all()

    def newest(self):
        return os.path.join(self.github.caches[-1][3], ".hebb/hebb.db")

    def edited(self, *replaced):
        """A workflow like that of the examples, from the second on with one job of tests."""
        with open(getattr(self, "one", WORKFLOW), encoding="utf-8") as file:
            text = file.read()
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        handle, path = tempfile.mkstemp(dir=self.folder, suffix=".yml")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def assert_all_ok(self, run):
        for jobs in run.jobs.values():
            for job in jobs:
                self.assertTrue(job.ok, job.log)
                self.assertNotIn("::warning", job.log)

    def test_first_run_then_likely_failures_first(self):
        first = self.github.run(WORKFLOW, self.project).all()
        self.assert_all_ok(first)
        for job in first.jobs["test"]:
            self.assertIn("Cache not found", job.log)
            self.assertEqual(self.order(job.log), ["tests/test_count.py", "tests/test_wrap.py"])
        self.assertEqual(self.outcomes(self.newest()), BOTH)

        self.break_wrap()
        second = self.github.run(WORKFLOW, self.project).all()
        for job in second.jobs["test"]:
            self.assertFalse(job.ok)
        self.assertTrue(second.jobs["learn"][0].ok)  # it reports although tests fail
        self.assertEqual(self.outcomes(self.newest()), 2 * BOTH)
        for folder in second.artifacts.values():
            [name] = os.listdir(folder)
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertEqual(file.read().count('"kind":"outcome","at"'), TESTS)  # nothing from before
        ranked = self.hebb(self.newest(), "-q", "rank", "--changed", "words.py", "--limit", "2", "--format", "pytest")
        self.assertEqual(set(ranked.split()), {"tests/test_wrap.py::test_long",
                                               "tests/test_wrap.py::test_word_longer_than_the_line"})

        third = self.run_all()
        for job in third.jobs["test"]:
            self.assertIn("Cache restored from key: hebb-tests@", job.log)
            self.assertEqual(self.order(job.log), ["tests/test_wrap.py", "tests/test_count.py"])

    def test_two_runs_at_once_lose_nothing(self):
        self.assert_all_ok(self.run_all())
        runs = [self.github.run(WORKFLOW, self.project) for _ in range(3)]
        at_once([job for run in runs for job in run.jobs["test"]])
        at_once([job for run in runs for job in run.jobs["learn"]])
        for run in runs:
            self.assert_all_ok(run)
        self.assertEqual(self.outcomes(self.newest()), TESTS + 3 * BOTH)

    def test_without_its_group_or_its_queue_reports_would_be_lost(self):
        runs = [self.github.run(self.one, self.project) for _ in range(3)]
        at_once([job for run in runs for job in run.jobs["test"]])
        group = "    concurrency: # one at a time; those of other runs wait\n      group: hebb-${{ github.ref }}\n"
        queue = "      queue: max\n"
        for left_out, stored in ((group + queue, 1), (queue, 2), ("", 3)):
            self.github.caches.clear()
            changed = [self.github.run(self.edited((left_out, "")), self.project, artifacts=run.artifacts)
                       for run in runs]
            at_once([job for run in changed for job in run.jobs["learn"]])
            self.assertEqual(self.outcomes(self.newest()), stored * TESTS)

    def test_a_second_attempt_counts_no_report_twice(self):
        run = self.run_all()
        self.github.caches.clear()
        run.again().all()
        self.assertEqual(self.outcomes(self.newest()), 2 * TESTS)

    def test_pull_requests_read_the_main_branch_and_do_not_change_it(self):
        self.assert_all_ok(self.run_all())
        pull = {"ref": "refs/pull/7/merge", "event": "pull_request"}
        self.assert_all_ok(self.run_all(**pull))
        self.assertEqual(self.outcomes(self.newest()), 2 * TESTS)
        self.run_all()
        self.assertEqual(self.github.caches[-1][0], "refs/heads/main")
        self.assertEqual(self.outcomes(self.newest()), 2 * TESTS)

    def test_changed_files_are_those_since_the_push_before(self):
        missing = self.run_all(before="0" * 40)
        self.assertIn("no file counts as changed", missing.jobs["test"][0].log)
        self.break_wrap()
        run = self.run_all()
        self.assertNotIn("no file counts as changed", run.jobs["test"][0].log)
        self.assertIn('"target":"words.py"', self.hebb(self.newest(), "export", "-"))

    def test_a_wrong_sum_is_refused_and_the_tests_run(self):
        for end in (".tar.gz", ".whl"):
            with self.subTest(end), self.wrong_sum(end):
                run = self.run_all()
                [job] = run.jobs["test"]
                self.assertTrue(job.ok, job.log)
                self.assertIn(end + ": FAILED", job.log)
                self.assertIn("::warning title=hebb::the packages of", job.log)
                self.assertIn("::warning title=hebb::nothing is reported", job.log)
                self.assertIn(f"{TESTS} passed", job.log)
                self.assertFalse(os.path.exists(os.path.join(job.workspace, ".hebb/program")))
                self.assertTrue(run.jobs["learn"][0].ok)
                self.assertEqual(self.github.caches, [])

    def test_packages_that_are_not_there(self):
        nowhere = ("uses: OWNER/hebb@v0.3.0\n      - run: python",
                   "uses: OWNER/hebb@v0.3.0\n        with:\n          from: https://127.0.0.1:1/x\n      - run: python")
        run = self.github.run(self.edited(nowhere), self.project).all()
        self.assertTrue(run.jobs["test"][0].ok)
        self.assertIn('the packages of "https://127.0.0.1:1/x" are not installed', run.jobs["test"][0].log)

    def test_a_folder_of_packages(self):
        folder = os.path.join(self.project, "third party")
        os.symlink(self.package, folder)
        path = self.edited(("uses: OWNER/hebb@v0.3.0\n      - run: python",
                            f"uses: OWNER/hebb@v0.3.0\n        with:\n          from: {folder}\n      - run: python"))
        self.assert_all_ok(self.github.run(path, self.project).all())
        self.assertEqual(self.outcomes(self.newest()), TESTS)

    def test_reports_of_other_runners_and_a_damaged_one(self):
        reports = os.path.join(packages.SOURCE, "examples/ci/reports")
        path = self.edited(
            ("run: python -m pytest", f"run: |\n          cp {reports}/gtest-1.xml a.xml\n          echo '<' > b.xml\n"
                                      f"          cp {reports}/gtest-2.xml 'c.xml'"),
            ("do: report", "do: report\n          reports: '[ab].xml none.xml c.xml'"))
        run = self.github.run(path, self.project).all()
        for job in run.jobs["test"]:
            self.assertTrue(job.ok, job.log)
            self.assertIn("::warning title=hebb::not all of the report b.xml is taken", job.log)
            self.assertIn("::warning title=hebb::there is no report none.xml", job.log)
        alone = os.path.join(self.folder, "alone.db")
        self.hebb(alone, "-q", "ingest", "--each", f"{reports}/gtest-1.xml", f"{reports}/gtest-2.xml")
        self.assertEqual(self.outcomes(self.newest()), self.outcomes(alone))

    def test_a_database_that_cannot_be_read(self):
        self.run_all()
        good = list(self.github.caches)
        self.write(self.newest(), b"no database" * 999)
        run = self.run_all()
        for job in run.jobs["test"]:
            self.assertTrue(job.ok, job.log)
            self.assertIn("::warning title=hebb::the database cannot be read", job.log)
            self.assertIn("the tests run in pytest's order", job.log)
        self.assertTrue(run.jobs["learn"][0].ok)
        self.assertEqual(self.github.caches, good)

    def test_a_cache_that_fails_does_not_replace_the_history(self):
        self.run_all()
        good = list(self.github.caches)
        run = self.github.run(self.one, self.project)
        at_once(run.jobs["test"])
        self.github.cache_works = False
        # A job before, on the same machine, has left a database.
        left = os.path.join(run.jobs["learn"][0].workspace, ".hebb")
        os.mkdir(left)
        self.hebb(os.path.join(left, "hebb.db"), "-q", "init")
        at_once(run.jobs["learn"])
        self.assertIn("the cache did not bring the database that the jobs had", run.jobs["learn"][0].log)
        self.assertEqual(self.github.caches, good)
        self.github.cache_works = True
        again = run.again()
        at_once(again.jobs["learn"])
        self.assertEqual(self.outcomes(self.newest()), 2 * TESTS)

    def test_databases_of_several_names(self):
        uses = ("OWNER/hebb@v0.3.0\n", "OWNER/hebb@v0.3.0\n        with:\n          key: KEY\n")
        text = [(f"uses: {uses[0]}      - run: python", f"uses: {uses[1]}      - run: python"),
                ("do: report", "do: report\n          key: KEY"), ("do: learn", "do: learn\n          key: KEY")]
        for key in ("a", "a-b", "a"):
            path = self.edited(*((old, new.replace("KEY", key)) for old, new in text))
            self.assert_all_ok(self.github.run(path, self.project).all())
        self.assertEqual(self.outcomes(self.newest()), 2 * TESTS)


if __name__ == "__main__":
    unittest.main()
