"""Runs pipelines of GitLab on this machine: includes with inputs, jobs, caches and artifacts as GitLab has them.

A cache is the last that a job has pushed under its key; protected branches have their own. Artifacts go to the jobs of
later stages. A keyword that is not known is an error.
"""
import os
import re
import shutil
import subprocess
import tempfile

import yaml

from at_once import at_once

STAGES = [".pre", "build", "test", "deploy", ".post"]
JOB_KEYS = {"extends", "stage", "when", "image", "variables", "cache", "before_script", "script", "after_script",
            "artifacts", "allow_failure", "resource_group"}


def documents(path):
    with open(path, encoding="utf-8") as file:
        return list(yaml.load_all(file, yaml.BaseLoader))


def with_inputs(value, inputs):
    if isinstance(value, dict):
        return {with_inputs(key, inputs): with_inputs(item, inputs) for key, item in value.items()}
    if isinstance(value, list):
        return [with_inputs(item, inputs) for item in value]
    return re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda match: inputs[match.group(1)], value)


def merged(base, other):
    """Mappings are merged, all else is replaced."""
    if not isinstance(base, dict) or not isinstance(other, dict):
        return other
    return {key: merged(base[key], other[key]) if key in base and key in other else other.get(key, base.get(key))
            for key in [*base, *(key for key in other if key not in base)]}


class GitLab:
    def __init__(self, folder, files, variables):
        self.folder = folder
        self.files = files  # address of an included file: its path here
        self.variables = variables
        self.caches = {}  # by key: a folder
        self.cache_works = True

    def new_folder(self):
        return tempfile.mkdtemp(dir=self.folder)

    def pipeline(self, config, repository, protected=True, inputs=None, **variables):
        """inputs: what the test gives in place of those of the configuration."""
        [whole] = documents(config)
        jobs = {}
        for include in whole.pop("include", []):
            assert set(include) == {"remote", "inputs"}, include
            head, body = documents(self.files[include["remote"]])
            given = {**include["inputs"], **(inputs or {})}
            assert set(given) <= set(head["spec"]["inputs"]), given
            for name, spec in head["spec"]["inputs"].items():
                if name not in given:
                    given[name] = spec["default"]
            jobs.update(with_inputs(body, given))
        jobs.update(whole)
        return Pipeline(self, jobs, repository, protected, variables)


class Pipeline:
    def __init__(self, gitlab, jobs, repository, protected, variables):
        self.gitlab, self.repository, self.protected, self.variables = gitlab, repository, protected, variables
        self.artifacts = {}  # by job: a folder

        def full(spec):
            if "extends" not in spec:
                return spec
            return merged(full(jobs[spec["extends"]]), {key: spec[key] for key in spec if key != "extends"})
        self.jobs = []
        for name, spec in jobs.items():
            if not name.startswith("."):
                self.jobs.append(Job(self, name, full(spec)))

    def of_stage(self, stage):
        return [job for job in self.jobs if job.stage == stage]

    def all(self):
        for stage in STAGES:
            ok = all(job.ok or job.allow_failure for job in self.jobs if job.ok is not None)
            at_once([job for job in self.of_stage(stage) if ok or job.spec.get("when") == "always"])
        return self


class Job:
    def __init__(self, pipeline, name, spec):
        unknown = set(spec) - JOB_KEYS
        assert not unknown, unknown
        self.pipeline, self.name, self.spec = pipeline, name, spec
        self.stage = spec.get("stage", "test")
        self.allow_failure = spec.get("allow_failure") == "true"
        self.workspace = os.path.join(pipeline.gitlab.new_folder(), "work place")
        os.mkdir(self.workspace)
        self.env = {"PATH": os.environ["PATH"], "HOME": pipeline.gitlab.new_folder(), "LANG": "C.UTF-8", "CI": "true",
                    **pipeline.gitlab.variables, **pipeline.variables, **spec.get("variables", {})}
        self.log = ""
        self.ok = None
        self.steps = self.all_steps()

    def group(self):
        group = self.spec.get("resource_group")
        return group and (group, "max")

    def all_steps(self):
        if self.env.get("GIT_STRATEGY") != "none":
            subprocess.run(["git", "clone", "-q", self.pipeline.repository, "."], cwd=self.workspace, check=True)
        cache, artifacts = self.spec.get("cache", {}), self.spec.get("artifacts", {})
        assert set(cache) <= {"key", "paths", "policy"}, cache
        assert set(artifacts) <= {"when", "paths", "expire_in"}, artifacts
        key = cache["key"] + ("-protected" if self.pipeline.protected else "-non_protected")
        gitlab = self.pipeline.gitlab
        if cache["policy"] in ("pull", "pull-push") and key in gitlab.caches and gitlab.cache_works:
            shutil.copytree(gitlab.caches[key], self.workspace, dirs_exist_ok=True)
        for job in self.pipeline.jobs:
            if STAGES.index(job.stage) < STAGES.index(self.stage) and job in self.pipeline.artifacts:
                shutil.copytree(self.pipeline.artifacts[job], self.workspace, dirs_exist_ok=True)
        yield True
        ok = self.shell([*self.spec.get("before_script", []), *self.spec["script"]])
        yield True
        self.shell(self.spec.get("after_script", []))
        if ok and cache["policy"] in ("push", "pull-push"):
            gitlab.caches[key] = self.kept(cache["paths"])
        if ok or artifacts.get("when") == "always":
            self.pipeline.artifacts[self] = self.kept(artifacts["paths"])
        self.ok = ok
        yield True

    def shell(self, lines):
        script = os.path.join(self.pipeline.gitlab.new_folder(), "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        result = subprocess.run(["sh", "-e", script], cwd=self.workspace, env=self.env, check=False,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log += result.stdout
        return result.returncode == 0

    def kept(self, paths):
        folder = self.pipeline.gitlab.new_folder()
        for path in paths:
            there, here = os.path.join(self.workspace, path), os.path.join(folder, path)
            if os.path.isdir(there):
                shutil.copytree(there, here)
            elif os.path.exists(there):
                os.makedirs(os.path.dirname(here), exist_ok=True)
                shutil.copy(there, here)
            else:
                self.log += f"WARNING: {path}: no matching files\n"
        return folder
