"""ci/gitlab.yml and examples/ci/gitlab-ci.yml, run as GitLab runs them."""
import os
import unittest

import case
import packages
from at_once import at_once
from case import TESTS
from gitlab import GitLab

CONFIG = os.path.join(packages.SOURCE, "examples/ci/gitlab-ci.yml")
TEMPLATE = os.path.join(packages.SOURCE, "ci/gitlab.yml")
REMOTE = "https://raw.githubusercontent.com/OWNER/hebb/v0.3.0/ci/gitlab.yml"


class OnGitLab(case.Case):
    def setUp(self):
        super().setUp()
        self.kept = os.path.join(self.folder, "kept")
        os.mkdir(self.kept)
        self.commit("second")
        self.gitlab = GitLab(self.kept, {REMOTE: TEMPLATE}, {})

    def pipeline(self, config=CONFIG, source="file://", **about):
        return self.gitlab.pipeline(config, self.project, inputs={"from": source + self.package}, **about)

    def database(self, branch="protected", key="tests"):
        return os.path.join(self.gitlab.caches[f"hebb-{key}-{branch}"], ".hebb/hebb.db")

    def job(self, pipeline, name):
        [job] = [job for job in pipeline.jobs if job.name == name]
        return job

    def config(self, more):
        with open(CONFIG, encoding="utf-8") as file:
            text = file.read()
        path = os.path.join(self.folder, "gitlab-ci.yml")
        self.write(path, (text + more).encode())
        return path

    def assert_all_ok(self, pipeline):
        for job in pipeline.jobs:
            self.assertTrue(job.ok, job.log)
            self.assertNotIn("hebb: ", job.log.replace("hebb: reported to", ""))

    def test_first_run_then_likely_failures_first(self):
        self.assert_all_ok(self.pipeline().all())
        self.assertEqual(self.outcomes(self.database()), TESTS)
        self.break_wrap()
        second = self.pipeline().all()
        self.assertFalse(self.job(second, "test").ok)
        self.assertTrue(self.job(second, "hebb-learn tests").ok)
        self.assertEqual(self.outcomes(self.database()), 2 * TESTS)
        third = self.pipeline(source="").all()  # a folder
        self.assertEqual(self.order(self.job(third, "test").log), ["tests/test_wrap.py", "tests/test_count.py"])

    def test_two_pipelines_with_two_jobs_at_once_lose_nothing(self):
        self.assert_all_ok(self.pipeline().all())
        config = self.config("\ntest-2:\n  extends: test\n\nlater:\n  extends: test\n  stage: deploy\n")
        pipelines = [self.pipeline(config) for _ in range(2)]
        for stage in ("test", "deploy", ".post"):
            at_once([job for pipeline in pipelines for job in pipeline.of_stage(stage)])
        for pipeline in pipelines:
            self.assert_all_ok(pipeline)
        self.assertEqual(self.outcomes(self.database()), TESTS + 2 * 3 * TESTS)

    def test_without_its_group_reports_would_be_lost(self):
        pipelines = [self.pipeline() for _ in range(2)]
        at_once([job for pipeline in pipelines for job in pipeline.of_stage("test")])
        learners = [job for pipeline in pipelines for job in pipeline.of_stage(".post")]
        for job in learners:
            del job.spec["resource_group"]
        at_once(learners)
        self.assertEqual(self.outcomes(self.database()), TESTS)

    def test_databases_of_several_names(self):
        config = self.config("\nother:\n  extends: .hebb-js\n  script:\n    - python -m pytest\n")
        with open(config, encoding="utf-8") as file:
            text = file.read()
        again = f"""
  - remote: {REMOTE}
    inputs:
      from: file://{self.package}
      key: js
"""
        self.write(config, text.replace("\n\n", again + "\n", 1).encode())
        self.assert_all_ok(self.gitlab.pipeline(config, self.project, inputs={"from": "file://" + self.package}).all())
        for key in ("tests", "js"):
            self.assertEqual(self.outcomes(self.database(key=key)), TESTS)

    def test_other_branches_have_a_database_of_their_own(self):
        self.pipeline().all()
        self.assert_all_ok(self.pipeline(protected=False, CI_MERGE_REQUEST_DIFF_BASE_SHA="HEAD").all())
        self.assertEqual(self.outcomes(self.database("non_protected")), TESTS)
        self.assertEqual(self.outcomes(self.database()), TESTS)

    def test_changed_files_of_a_merge_request(self):
        self.break_wrap()
        self.commit("another")
        self.pipeline().all()
        self.assertNotIn('"target":"words.py"', self.hebb(self.database(), "export", "-"))
        self.pipeline(CI_MERGE_REQUEST_DIFF_BASE_SHA="HEAD^^").all()
        self.assertIn('"target":"words.py"', self.hebb(self.database(), "export", "-"))

    def test_a_wrong_sum_is_refused_and_the_tests_run(self):
        with self.wrong_sum(".tar.gz"):
            pipeline = self.pipeline().all()
        job = self.job(pipeline, "test")
        self.assertTrue(job.ok, job.log)
        self.assertIn(".tar.gz: FAILED", job.log)
        self.assertIn("hebb: nothing is reported", job.log)
        self.assertIn(f"{TESTS} passed", job.log)
        self.assertFalse(self.job(pipeline, "hebb-learn tests").ok)  # which is allowed
        self.assertEqual(self.gitlab.caches, {})

    def test_packages_that_are_not_there(self):
        for nowhere in ("https://127.0.0.1:1/x", "/nowhere"):
            pipeline = self.gitlab.pipeline(CONFIG, self.project, inputs={"from": nowhere}).all()
            self.assertTrue(self.job(pipeline, "test").ok, self.job(pipeline, "test").log)
            self.assertIn(f"{TESTS} passed", self.job(pipeline, "test").log)

    def test_reports_of_other_runners_and_a_damaged_one(self):
        reports = os.path.join(packages.SOURCE, "examples/ci/reports")
        config = self.config("\nother:\n  extends: .hebb-tests\n  variables:\n    HEBB_REPORTS: '[ab].xml'\n"
                             f"  script:\n    - cp {reports}/gtest-1.xml b.xml\n    - echo '<' > a.xml\n")
        pipeline = self.pipeline(config).all()
        self.assertIn("not all of the report a.xml is taken", self.job(pipeline, "other").log)
        self.assertTrue(self.job(pipeline, "other").ok)
        alone = os.path.join(self.folder, "alone.db")
        self.hebb(alone, "-q", "ingest", "--each", f"{reports}/gtest-1.xml")
        self.assertEqual(self.outcomes(self.database()), TESTS + self.outcomes(alone))

    def test_a_cache_that_fails_does_not_replace_the_history(self):
        self.pipeline().all()
        before = self.database()
        pipeline = self.pipeline()
        at_once(pipeline.of_stage("test"))
        self.gitlab.cache_works = False
        at_once(pipeline.of_stage(".post"))
        self.assertIn("the cache did not bring the database", self.job(pipeline, "hebb-learn tests").log)
        self.assertEqual(self.database(), before)


if __name__ == "__main__":
    unittest.main()
