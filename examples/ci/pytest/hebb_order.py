"""A pytest plugin: runs the tests in the order of `hebb rank`, new ones too.

    python -m pytest -p hebb_order

Put this file where Python finds it: into the folder where that is called, or one in $PYTHONPATH.
$HEBB_DB is the database. $HEBB_CHANGED, where it is set, names a file with the changed files, one
on each line. Without hebb, or where it fails, the tests run in their own order.
"""
import os
import subprocess
import sys

NO_DATABASE = 69


def hebb_id(item):
    """The id under which hebb knows a test: classname and name of its JUnit report."""
    test, bracket, parameters = item.nodeid.partition("[")
    path, *names = test.split("::")
    return ".".join([path.removesuffix(".py").replace("/", "."), *names]) + bracket + parameters


def changed_files():
    try:
        with open(os.environ.get("HEBB_CHANGED", "")) as lines:
            return lines.read().splitlines()
    except FileNotFoundError:
        return []


def ranked(ids):
    """The ids as hebb orders them; none, and a line that says why, where it cannot."""
    command = ["hebb", "--quiet", "rank", "--format", "ids", "--among", "-"]
    command += [f"--changed={path}" for path in changed_files()]
    try:
        result = subprocess.run(
            command, input="".join(f"{id}\n" for id in ids), capture_output=True, text=True
        )
    except OSError as error:
        why = str(error)
    else:
        if result.returncode == 0:
            return result.stdout.splitlines()
        why = result.stderr.strip()
        if result.returncode == NO_DATABASE and not os.path.exists(os.environ.get("HEBB_DB", "")):
            why = "no database yet"
    print(f"hebb_order: {why}; the tests run in their own order", file=sys.stderr)
    return []


def pytest_collection_modifyitems(items):
    place = {id: i for i, id in enumerate(ranked([hebb_id(item) for item in items]))}
    items.sort(key=lambda item: place.get(hebb_id(item), len(place)))
