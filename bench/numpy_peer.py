"""What a Python user would write in place of hebb: the graph in numpy, each outcome written through to
SQLite, everything ranked again, and the first thousand kept in a table.

  python3 numpy_peer.py FOLDER EDGES

Prints the median of 60 outcomes in milliseconds: event and edge in one transaction, the ranking of all
candidates, the table of the first thousand in another transaction. One task in ten is open, as in
bench/world.h; nothing fades but weights.
"""
import os
import random
import sqlite3
import sys
import time

import numpy as np

LABELS, DIMENSION, KEPT, OUTCOMES = 100, 256, 1000, 60


def main(folder: str, edges: int) -> None:
    candidates = edges // 100
    draw, numbers = random.Random(1), np.random.default_rng(1)
    path = os.path.join(folder, "peer.db")
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE event (position INTEGER PRIMARY KEY, at, task, outcome)")
    db.execute("CREATE TABLE edge (source, target, type, weight, at, PRIMARY KEY (source, target, type)) WITHOUT ROWID")
    db.execute("CREATE TABLE priority (rank INTEGER PRIMARY KEY, task, priority)")

    target = numbers.integers(0, edges // 10, edges)
    weight, touched = np.ones(edges), np.zeros(edges)
    vectors = numbers.standard_normal((candidates, DIMENSION)).astype(np.float32)
    label = np.array([draw.randrange(LABELS) for _ in range(candidates)])
    inbound = [[] for _ in range(candidates)]
    for edge in np.flatnonzero(target < candidates):
        inbound[target[edge]].append(edge)
    most = max(len(of_one) for of_one in inbound)
    index, counts = np.zeros((candidates, most), dtype=int), np.zeros((candidates, most))
    for task, of_one in enumerate(inbound):
        index[task, : len(of_one)] = of_one
        counts[task, : len(of_one)] = 1
    created = np.arange(candidates, dtype=float)
    successes, failures = np.zeros(LABELS), np.zeros(LABELS)

    times, now = [], 1e6
    for _ in range(OUTCOMES):
        task = draw.randrange(candidates)
        now += 1
        begin = time.perf_counter()
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO event (at, task, outcome) VALUES (?, ?, 'success')", (now, task))
        successes[label[task]] += 1
        db.execute("INSERT INTO edge VALUES (?, ?, 'REWARD_POSITIVE', 1, ?)"
                   " ON CONFLICT DO UPDATE SET weight = weight + .1, at = excluded.at",
                   (task, int(label[task]), now))
        db.execute("COMMIT")
        effective = weight[index] * 0.98 ** ((now - touched[index]) / 86400) * counts
        base = 0.5 + 2 / (np.linalg.norm(vectors - vectors[task], axis=1) + 0.1) + effective.sum(1)
        rate = ((2 + successes) / (3 + successes + failures)) / (2 / 3)
        priority = (base * (1 + (now - created) / 60) ** -0.2
                    * (1 + np.abs(created - created[task])) ** -0.2 * rate[label] ** 5)
        first = np.argsort(-priority)[:KEPT]
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM priority")
        db.executemany("INSERT INTO priority VALUES (?, ?, ?)",
                       [(rank, int(t), float(priority[t])) for rank, t in enumerate(first)])
        db.execute("COMMIT")
        times.append(time.perf_counter() - begin)
    print(1000 * sorted(times)[OUTCOMES // 2])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
