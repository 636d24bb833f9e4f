"""Runs workflows of GitHub Actions on this machine: jobs, composite actions, caches and artifacts as GitHub has them.

Caches are immutable and belong to a ref; those of the default branch can be read by all. An artifact belongs to a run,
and has a name of its own there. A key, an input or an expression that is not known is an error.
"""
import fnmatch
import glob
import itertools
import os
import shutil
import subprocess
import tempfile

import yaml

import expressions
from at_once import at_once

DEFAULT_REF = "refs/heads/main"
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "shell", "env", "continue-on-error"}


class Failed(Exception):
    """A step has failed."""


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, yaml.BaseLoader)  # texts only, as expressions make them; "on" is no boolean


class GitHub:
    def __init__(self, folder, actions, releases):
        self.folder = folder  # for everything that it keeps
        self.actions = actions  # OWNER/NAME: its folder
        self.server = "file://" + releases
        self.caches = []  # (ref, key, paths, folder), the oldest first
        self.run_ids = itertools.count(9)  # the next has a digit more
        self.cache_works = True

    def new_folder(self):
        return tempfile.mkdtemp(dir=self.folder)

    def run(self, workflow, repository, **about):
        return Run(self, load(workflow), repository, **about)

    def find_cache(self, ref, paths, keys):
        for scope in dict.fromkeys([ref, DEFAULT_REF]):
            there = [cache for cache in self.caches if cache[0] == scope and cache[2] == paths]
            for key in keys:
                exact = [cache for cache in there if cache[1] == key]
                found = exact or [cache for cache in there if cache[1].startswith(key)]
                if found:
                    return found[-1]
        return None


class Run:
    """One run of a workflow."""

    def __init__(self, github, workflow, repository, ref=DEFAULT_REF, event="push", before="HEAD^", attempt=1,
                 run_id=None, artifacts=None):
        self.github, self.workflow, self.repository = github, workflow, repository
        self.artifacts = {} if artifacts is None else artifacts  # by name: a folder
        self.context = {
            "ref": ref, "run_id": run_id or next(github.run_ids), "run_attempt": attempt, "event_name": event,
            "event": {"before": before} if event == "push" else {}, "server_url": github.server,
            "action_repository": ""}
        self.jobs = {}
        for name, job in workflow["jobs"].items():
            unknown = set(job) - {"runs-on", "strategy", "steps", "needs", "if", "concurrency", "env"}
            assert not unknown, unknown
            cells = [{}]
            for key, values in job.get("strategy", {}).get("matrix", {}).items():
                cells = [{**cell, key: value} for cell in cells for value in values]
            self.jobs[name] = [Job(self, name, job, cell) for cell in cells]

    def again(self):
        """A further attempt, which sees the artifacts of the first."""
        return Run(self.github, self.workflow, self.repository, ref=self.context["ref"],
                   event=self.context["event_name"], attempt=self.context["run_attempt"] + 1,
                   run_id=self.context["run_id"], artifacts=self.artifacts)

    def all(self):
        """All jobs, those of a matrix at once, each after those that it needs."""
        for name, jobs in self.jobs.items():
            needs = jobs[0].needs
            succeeded = all(job.ok for need in needs for job in self.jobs[need])
            if expressions.is_true(jobs[0].spec.get("if", "success()"), {"github": self.context},
                                   {"success": lambda: succeeded, "always": lambda: True}):
                at_once(jobs)
        return self


class Job:
    def __init__(self, run, name, spec, cell):
        self.run, self.name, self.spec = run, name, spec
        self.needs = [spec["needs"]] if isinstance(spec.get("needs"), str) else spec.get("needs", [])
        self.contexts = {"github": run.context, "matrix": cell}
        self.workspace = os.path.join(run.github.new_folder(), "work place")
        os.mkdir(self.workspace)
        home = run.github.new_folder()
        self.env = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8", "CI": "true", "GITHUB_ACTIONS": "true",
                    "GITHUB_WORKSPACE": self.workspace, "RUNNER_TEMP": run.github.new_folder(), **spec.get("env", {})}
        self.log = ""
        self.ok = None  # while it runs
        self.steps = self.all_steps()

    def group(self):
        concurrency = self.spec.get("concurrency")
        if not concurrency:
            return None
        assert set(concurrency) <= {"group", "queue"}, concurrency
        return (expressions.expanded(concurrency["group"], self.contexts, {}), concurrency.get("queue", "single"))

    def all_steps(self):
        failures = yield from self.run_steps(self.spec["steps"], self.contexts, {}, "bash")
        self.ok = not failures

    def run_steps(self, steps, contexts, env, default_shell):
        """Yields after each step; returns whether one has failed."""
        failed = False
        contexts = {**contexts, "steps": {}}
        for step in steps:
            assert set(step) <= STEP_KEYS, step
            functions = {"success": lambda: not failed, "always": lambda: True}
            if not expressions.is_true(step.get("if", "success()"), contexts, functions):
                continue

            def text(value):
                return expressions.expanded(value, contexts, {})
            outputs = {}
            own_env = {**env, **{name: text(value) for name, value in step.get("env", {}).items()}}
            try:
                if "run" in step:
                    self.shell(text(step["run"]), step.get("shell", default_shell), own_env, outputs)
                else:
                    inputs = {name: text(value) for name, value in step.get("with", {}).items()}
                    yield from self.use(step["uses"], inputs, contexts, own_env)
            except Failed as failure:
                self.log += f"{failure}\n"
                failed = failed or step.get("continue-on-error") != "true"
            if "id" in step:
                contexts["steps"][step["id"]] = {"outputs": outputs}
            yield True
        return failed

    def shell(self, script, shell, env, outputs):
        command = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], "sh": ["sh", "-e"]}[shell]
        folder = self.run.github.new_folder()
        files = {name: os.path.join(folder, name) for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")}
        for path in [*files.values(), os.path.join(folder, "script")]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(script if path.endswith("script") else "")
        result = subprocess.run([*command, os.path.join(folder, "script")], cwd=self.workspace, check=False,
                                env={**self.env, **env, **files}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log += result.stdout
        for name, target in (("GITHUB_ENV", self.env), ("GITHUB_OUTPUT", outputs)):
            with open(files[name], encoding="utf-8") as file:
                target.update(line.rstrip("\n").split("=", 1) for line in file)
        with open(files["GITHUB_PATH"], encoding="utf-8") as file:
            for line in file:
                self.env["PATH"] = line.rstrip("\n") + ":" + self.env["PATH"]
        if result.returncode:
            raise Failed(f"Error: Process completed with exit code {result.returncode}.")

    # --- actions ---

    def use(self, uses, inputs, contexts, env):
        name = uses.partition("@")[0]
        if name in self.run.github.actions:
            yield from self.composite(name, inputs, contexts, env)
            return
        known = {
            "actions/checkout": (self.checkout, {"fetch-depth"}),
            "actions/setup-python": (lambda given: None, {"python-version"}),
            "actions/cache/restore": (self.restore, {"path", "key", "restore-keys"}),
            "actions/cache/save": (self.save, {"path", "key"}),
            "actions/upload-artifact": (self.upload, {"name", "path", "include-hidden-files", "retention-days"}),
            "actions/download-artifact": (self.download, {"pattern", "path", "merge-multiple"}),
        }
        action, allowed = known[name]
        assert set(inputs) <= allowed, inputs
        action(inputs)

    def composite(self, name, given, contexts, env):
        folder = self.run.github.actions[name]
        action = load(os.path.join(folder, "action.yml"))
        assert set(given) <= set(action["inputs"]), given
        inputs = {key: given.get(key, spec.get("default", "")) for key, spec in action["inputs"].items()}
        contexts = {"github": {**contexts["github"], "action_repository": name}, "inputs": inputs,
                    "matrix": contexts["matrix"]}
        for step in action["runs"]["steps"]:
            assert "run" not in step or "shell" in step, "a composite action names its shell"
        failed = yield from self.run_steps(action["runs"]["steps"], contexts,
                                           {**env, "GITHUB_ACTION_PATH": folder}, None)
        if failed:
            raise Failed(f"{name} has failed")

    def checkout(self, inputs):
        depth = [] if inputs.get("fetch-depth") == "0" else ["--depth", inputs.get("fetch-depth", "1")]
        subprocess.run(["git", "clone", "-q", *depth, "file://" + self.run.repository, "."], cwd=self.workspace,
                       check=True)

    def restore(self, inputs):
        if not self.run.github.cache_works:
            self.log += "Warning: Failed to restore\n"
            return
        keys = [inputs["key"], *inputs["restore-keys"].split()]
        found = self.run.github.find_cache(self.run.context["ref"], inputs["path"], keys)
        if found:
            shutil.copytree(found[3], self.workspace, dirs_exist_ok=True)
        self.log += f"Cache restored from key: {found[1]}\n" if found else "Cache not found\n"

    def save(self, inputs):
        ref, github = self.run.context["ref"], self.run.github
        if any(cache[:3] == (ref, inputs["key"], inputs["path"]) for cache in github.caches):
            self.log += f"Warning: there is a cache with the key {inputs['key']}\n"
            return
        folder = github.new_folder()
        for path in inputs["path"].split("\n"):
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            shutil.copy(os.path.join(self.workspace, path), os.path.join(folder, path))
        github.caches.append((ref, inputs["key"], inputs["path"], folder))

    def upload(self, inputs):
        hidden = any(part.startswith(".") for part in inputs["path"].split("/"))
        path = os.path.join(self.workspace, inputs["path"])
        if not os.path.isfile(path) or hidden and inputs.get("include-hidden-files") != "true":
            self.log += "Warning: No files were found with the provided path\n"
            return
        if inputs["name"] in self.run.artifacts or set(inputs["name"]) & set('":<>|*?\r\n\\/'):
            raise Failed(f"Conflict: the artifact {inputs['name']}")
        folder = self.run.artifacts[inputs["name"]] = self.run.github.new_folder()
        shutil.copy(path, folder)

    def download(self, inputs):
        target = os.path.join(self.workspace, inputs["path"])
        for name, folder in self.run.artifacts.items():
            if fnmatch.fnmatchcase(name, inputs["pattern"]):
                into = target if inputs["merge-multiple"] == "true" else os.path.join(target, name)
                os.makedirs(into, exist_ok=True)
                for file in glob.glob(os.path.join(folder, "*")):
                    shutil.copy(file, into)
