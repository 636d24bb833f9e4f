"""A pytest plugin: runs the tests in the order of `hebb rank`.

    PYTHONPATH=. pytest -p hebb_order

$HEBB_DB is the database, $HEBB_CHANGED the files that were changed, separated by blanks. Without
hebb, or where it fails, the tests run in their own order.
"""
import os
import subprocess
import sys


def hebb_id(item):
    """The id under which hebb knows a test: classname and name of its JUnit report."""
    path, *names = item.nodeid.split("::")
    return ".".join([path.removesuffix(".py").replace("/", "."), *names])


def pytest_collection_modifyitems(items):
    command = ["hebb", "--quiet", "rank", "--format", "ids", "--among", "-"]
    for path in os.environ.get("HEBB_CHANGED", "").split():
        command += ["--changed", path]
    ids = "".join(hebb_id(item) + "\n" for item in items)
    try:
        result = subprocess.run(command, input=ids, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"hebb_order: {error}; the tests run in their own order", file=sys.stderr)
        return
    place = {id: i for i, id in enumerate(result.stdout.splitlines())}
    items.sort(key=lambda item: place.get(hebb_id(item), len(place)))
