"""pytest --hebb: runs first the tests that are likely to fail, and reports how all of them went.

Tests of a class, a module and a package stay together, so no fixture is set up more often. If hebb
fails, pytest's order stays, and the summary says why.
"""
from __future__ import annotations

import collections
import datetime
import fcntl
import json
import os
import shutil
import subprocess
import tempfile

import pytest

GROUPS = (pytest.Package, pytest.Module, pytest.Class)


def pytest_addoption(parser):
    group = parser.getgroup("hebb", "run first what is likely to fail")
    group.addoption("--hebb", nargs="?", const="", metavar="DB",
                    help="run the tests in the order of hebb's ranking, and report their outcomes; "
                    "--hebb=DB names the database, else it is the one that hebb uses here")
    group.addoption("--hebb-budget", metavar="TIME",
                    help="run only the tests that fit into it: 60s, 10m")
    group.addoption("--hebb-changed", metavar="REF",
                    help="first what failed when the files were changed that git diff REF lists")
    group.addoption("--hebb-shard", metavar="I/N",
                    help="run only part I of N parts of equal expected duration")


def pytest_configure(config):
    option = config.option
    if option.hebb is None:
        if not (option.hebb_budget or option.hebb_changed or option.hebb_shard):
            return
        option.hebb = ""
    if os.path.isdir(option.hebb) or "::" in option.hebb or option.hebb.endswith(".py"):
        raise pytest.UsageError(f"--hebb {option.hebb}: this is no database; write --hebb=DB, or "
                                "put --hebb behind the tests")
    if option.hebb and "://" not in option.hebb:
        option.hebb = os.path.abspath(option.hebb)
    config.pluginmanager.register(Plugin(config), "hebb-order-and-report")


def open_database(config):
    import hebb

    return hebb.open(config.option.hebb or None)


def changed_files(ref, folder):
    """The files that git says were changed, named from the folder that reports name files from."""
    git = subprocess.run(["git", "diff", "--name-only", "--relative", "-z", "--end-of-options", ref,
                          "--"], cwd=folder, capture_output=True, text=True, check=False)
    if git.returncode:
        raise ValueError(git.stderr.strip().partition("\n")[0])
    return [name for name in git.stdout.split("\0") if name]


def test_id(item, prefix):
    """The id under which hebb knows a test: classname and name of its JUnit report."""
    from _pytest.junitxml import bin_xml_escape, mangle_test_address

    *classnames, name = mangle_test_address(item.nodeid)
    if prefix:
        classnames.insert(0, prefix)
    return f"{'.'.join(classnames)}.{bin_xml_escape(name)}".strip(" ")


def ranked(config, ids, changed):
    """The places of tests by their ids, and the ids of tests that are not to be run."""
    with open_database(config) as db:
        request = {"among": ids, "changed": changed}
        rows = everything = [row.id for row in db.rank(**request)]
        if config.option.hebb_budget or config.option.hebb_shard:
            if config.option.hebb_budget:
                request["budget"] = config.option.hebb_budget
            if config.option.hebb_shard:
                request["shard"] = config.option.hebb_shard
            rows = [row.id for row in db.rank(**request)]
        known = {row.id for row in db.rank(type="TEST", limit=10**9)}
    asked = set(ids)

    def name_of(id):  # of a test that has the name of a task, which is "test:NAME"
        return id[5:] if id.startswith("test:") and id not in asked else id

    places = {}
    first_new = None  # all new tests share its place, and keep pytest's order
    for place, id in enumerate(rows):
        if id not in known and first_new is None:
            first_new = place
        places[name_of(id)] = place if id in known else first_new
    return places, sorted(name_of(id) for id in set(everything) - set(rows))


# --- fixtures ------------------------------------------------------------------------------------


def groups_of(item):
    """The packages, the module and the classes of a test, and the test."""
    return [node for node in item.listchain() if isinstance(node, GROUPS) or node is item]


def shared_fixtures(item):
    """The fixtures of the test that live longer than it: by name, the node that they live in, the
    place of their parameter, and the fixtures that they are made with."""
    info = getattr(item, "_fixtureinfo", None)
    definitions = info.name2fixturedefs if info else {}
    indices = item.callspec.indices if hasattr(item, "callspec") else {}
    parents = {"class": pytest.Class, "module": pytest.Module, "package": pytest.Package}
    shared = {}

    def add(name):
        if name in shared or name not in definitions:
            return shared.get(name)
        fixture = definitions[name][-1]
        if fixture.scope == "function":
            return None
        shared[name] = None  # one that overrides its like is made with it
        node = item.getparent(parents[fixture.scope]) if fixture.scope in parents else None
        made_with = tuple(add(other) for other in fixture.argnames)
        shared[name] = (node or item.session, indices.get(name), made_with)
        return shared[name]

    for name in definitions:
        add(name)
    return {name: key for name, key in shared.items() if key}


def set_ups(items):
    """How often each shared fixture is set up if the tests are run in this order."""
    active, counts = {}, collections.Counter()
    for item in items:
        chain = set(item.listchain())
        active = {name: key for name, key in active.items() if key[0] in chain}
        for name, key in shared_fixtures(item).items():
            if active.get(name) != key:
                active[name] = key
                counts[name] += 1
    return counts


def parts_of(items, depth):
    """The tests of each group at that depth; those that share a fixture with parameters are one."""
    parts = []
    by_group = {}
    for item in items:
        by_group.setdefault(groups_of(item)[depth], []).append(item)
    for own in by_group.values():
        fixtures = {(name, node) for item in own
                    for name, (node, index, _) in shared_fixtures(item).items()
                    if index is not None}
        others = [part for part in parts if fixtures & part[0]] if fixtures else []
        parts = [part for part in parts if part not in others]
        parts.append((fixtures.union(*(part[0] for part in others)),
                      [*(group for part in others for group in part[1]), own]))
    return [part[1] for part in parts]


def arranged(items, place, depth=0):
    """The tests, which are in pytest's order, by their places: whole groups by their best test.

    No fixture is set up more often. Where groups share one with parameters, it is seen by counting
    whether pytest, from that order on, finds one that is as good as its own.
    """
    from _pytest.fixtures import reorder_items

    at = {item: n for n, item in enumerate(items)}
    parts = []
    for groups in parts_of(items, depth):
        own = sorted((item for group in groups for item in group), key=at.get)
        if len(groups) == 1:
            if len(groups_of(own[0])) > depth + 1:
                own = arranged(own, place, depth + 1)
        else:
            best = {}
            for item in own:
                for node in groups_of(item):
                    best[node] = min(best.get(node, place[item]), place[item])
            ours = reorder_items(sorted(own, key=lambda item: [best[n] for n in groups_of(item)]))
            if not set_ups(ours) - set_ups(own):
                own = ours
        parts.append((min(place[item] for item in own), own))
    return [item for _, own in sorted(parts, key=lambda part: part[0]) for item in own]


class Plugin:
    def __init__(self, config):
        self.config = config
        self.is_worker = hasattr(config, "workerinput")  # of pytest-xdist
        self.messages = []
        self.warned_of_machines = False
        self.xml = None
        self.folder = None if self.is_worker else tempfile.mkdtemp(prefix="pytest-hebb-")
        self.rerun_at = {}  # by test: when its last attempt ended
        self.changed = []
        if config.option.hebb_changed:
            try:
                self.changed = changed_files(config.option.hebb_changed, config.rootpath)
            except Exception as error:
                self.warn(f"--hebb-changed {config.option.hebb_changed}: {error}; no file counts "
                          "as changed")

    # --- the order -------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)  # after pytest has brought together what shares a fixture
    def pytest_collection_modifyitems(self, items):
        order = self.order(items)
        if not order:
            return
        places, left_out = order
        prefix = self.config.getoption("junitprefix", None)
        ids = {item: test_id(item, prefix) for item in items}
        gone = set(left_out)
        deselected = [item for item in items if ids[item] in gone]
        items[:] = [item for item in items if ids[item] not in gone]
        try:
            items[:] = arranged(items, {item: (places.get(ids[item], len(places)), index)
                                        for index, item in enumerate(items)})
        except Exception as error:
            self.warn(f"{error}; the tests run in pytest's order")
        if deselected:
            self.config.hook.pytest_deselected(items=deselected)

    def order(self, items):
        """Places and ids to leave out; None: pytest's order stays."""
        if not self.is_worker:
            return self.compute(items)[0]
        # All workers need one order: the first computes it for all.
        folder = self.config.workerinput.get("hebb_folder")
        if not folder:
            return None
        with open(os.path.join(folder, "order.json"), "a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            if text:
                return json.loads(text)[0]
            computed = self.compute(items)
            file.write(json.dumps(computed))
            return computed[0]

    def compute(self, items):
        try:
            prefix = self.config.getoption("junitprefix", None)
            return ranked(self.config, [test_id(item, prefix) for item in items],
                          self.changed), None
        except Exception as error:
            self.warn(f"{error}; the tests run in pytest's order")
            return None, self.messages[-1]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        if all("popen" in spec for spec in self.config.option.tx or ["popen"]):
            node.workerinput["hebb_folder"] = self.folder
        elif not self.warned_of_machines:
            self.warned_of_machines = True
            self.warn("workers on other machines run in pytest's order")

    # --- the report ------------------------------------------------------------------------------

    def pytest_sessionstart(self):
        if self.is_worker or self.config.option.collectonly:
            return
        try:
            from _pytest.junitxml import LogXML

            # What pytest's own report has, so that both give the same ids and verdicts.
            self.xml = LogXML(os.path.join(self.folder, "pytest.xml"),
                              self.config.getoption("junitprefix", None), family="xunit1")
            self.xml.pytest_sessionstart()
        except Exception as error:
            self.fail(error)

    def pytest_runtest_logreport(self, report):
        if not self.xml:
            return
        try:
            self.note_time(report)
            if report.outcome != "rerun":  # of pytest-rerunfailures: a failure, and it goes on
                return self.xml.pytest_runtest_logreport(report)
            report = type(report)(**{**vars(report), "outcome": "failed"})
            self.xml.pytest_runtest_logreport(report)
            self.xml.finalize(report)
        except Exception as error:
            self.fail(error)

    def pytest_collectreport(self, report):
        if not self.xml:
            return
        try:
            if not report.passed:
                self.note_time(report)
            self.xml.pytest_collectreport(report)
        except Exception as error:
            self.fail(error)

    def note_time(self, report):
        """Attempts of a test are told apart, and ordered, by the milliseconds of their ends."""
        now = datetime.datetime.now(datetime.timezone.utc)
        last = self.rerun_at.get(report.nodeid)
        if last:
            now = max(now, last + datetime.timedelta(milliseconds=1))
        if report.outcome == "rerun":
            self.rerun_at[report.nodeid] = now
        self.xml.node_reporter(report).add_attribute("timestamp", now.isoformat())

    def pytest_sessionfinish(self):
        if not self.xml:
            return
        try:
            self.xml.pytest_sessionfinish()
            with open_database(self.config) as db:
                taken = db.ingest_files([self.xml.logfile], format="junit", each=True,
                                        changed=self.changed)
                reported = sum(file.applied for file in taken.files)
                database = db.init().database
            self.messages.append(f"reported to {database}" if reported else "nothing to report")
        except Exception as error:
            self.fail(error)

    # --- messages --------------------------------------------------------------------------------

    def fail(self, error):
        self.warn(f"{error}; the outcomes of this run are not reported")
        self.xml = None

    def warn(self, text):
        self.messages.append(text)

    def pytest_terminal_summary(self, terminalreporter):
        try:
            with open(os.path.join(self.folder, "order.json"), encoding="utf-8") as file:
                message = json.load(file)[1]  # of the worker that computed the order
        except (OSError, ValueError):
            message = None
        for text in [message, *self.messages]:
            if text:
                terminalreporter.write_line(f"hebb: {text}")

    def pytest_unconfigure(self):
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
