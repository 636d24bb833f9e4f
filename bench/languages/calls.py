"""calls.py DATABASE: see languages.py."""
import statistics
import sys
import time

import hebb

db = hebb.open(sys.argv[1])


def rank(_task: str) -> None:
    for row in db.rank(limit=20):
        assert row.id


def outcome(task: str) -> None:
    db.outcome(task, "failure")


for line in sys.stdin:
    operation, calls, task = line.split()
    call = {"rank": rank, "outcome": outcome}[operation]
    took = []
    for _ in range(int(calls)):
        begin = time.perf_counter_ns()
        call(task)
        took.append(time.perf_counter_ns() - begin)
    print(statistics.median(took), flush=True)
