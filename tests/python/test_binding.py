"""What the package promises: threads, forks, a second SQLite, cancelling, streams, asyncio."""
import asyncio
import copy
import gc
import json
import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import weakref
from datetime import datetime, timedelta, timezone
from unittest import mock

import hebb
import hebb.aio
from hebb import _library, _pipe, errors

HEBB = os.environ["HEBB"]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "x.db")

    def database(self, tasks=0, path=":memory:"):
        db = hebb.open(path)
        self.addCleanup(db.close)
        for n in range(tasks):
            db.add(f"Task {n}", id=f"t-{n}")
        return db

    def many(self, count=5000):
        db = self.database()
        now = datetime.now(timezone.utc).isoformat()
        lines = [json.dumps({"kind": "node", "id": f"t-{n}", "type": "TASK", "name": "x", "at": now})
                 for n in range(count)]
        db.ingest(content="\n".join(lines), format="history")
        return db

    def assert_cancel_ends_calls(self, db):
        outcome = []

        def work():
            try:
                while True:  # cancel() may come between two calls
                    db.verify()
            except hebb.Cancelled as error:
                outcome.append(error.type)

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            db.cancel()
        self.assertEqual(outcome, ["cancelled"])


class Answers(Case):
    def test_an_answer_is_typed_immutable_and_equal_to_its_like(self):
        db = self.database()
        due = datetime(2030, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
        task = db.add("Fix it", labels={"bug"}, due_at=due, estimate=timedelta(minutes=90)).task
        self.assertEqual((task.name, task.due_at, task.estimate), ("Fix it", due, 5400000))
        self.assertEqual(task.labels, ("bug",))
        self.assertIsNone(task.snoozed_until)
        self.assertEqual(task, db.show(task.id).task)
        self.assertNotEqual(task, db.add("Another").task)
        self.assertEqual(task.json["name"], "Fix it")
        self.assertIn("name='Fix it'", repr(task))
        self.assertEqual(pickle.loads(pickle.dumps(task)), task)
        self.assertEqual(copy.deepcopy(task), task)
        with self.assertRaisesRegex(AttributeError, "name cannot be set"):
            task.name = "else"
        with self.assertRaises(AttributeError):
            task.nonsense = 1
        with self.assertRaises(AttributeError):
            task.nonsense

    def test_an_answer_that_is_a_list_is_one(self):
        db = self.database(tasks=3)
        ranked = db.rank(limit=2)
        self.assertEqual(len(ranked), 2)
        self.assertEqual([task.id for task in ranked], [ranked[0].id, ranked[-1].id])
        self.assertEqual([task.rank for task in ranked.tasks[1:]], [2])
        self.assertEqual(list(ranked.tasks), list(ranked))
        self.assertEqual(ranked.total, 3)
        self.assertFalse(db.search("nothing that is there"))
        self.assertTrue(db.outcome(ranked[0].id, "success"))  # whose list is beside the point

    def test_a_request_takes_what_python_has(self):
        db = self.database(tasks=2)
        self.assertEqual(len(db.rank(among=(id for id in ["t-0"]))), 1)
        self.assertEqual(len(db.rank(among=[task.id for task in db.rank()])), 2)
        with self.assertRaisesRegex(TypeError, "object cannot be part"):
            db.rank(near=object())
        with self.assertRaises(ValueError):
            db.node_set("x", vector=[float("nan")])
        with self.assertRaises(TypeError):
            db.outcome("t-0")
        with self.assertRaises(TypeError):
            db.rank(5)


class Errors(Case):
    def test_each_type_has_a_class(self):
        schemas = json.loads(subprocess.check_output([HEBB, "api", "schemas"]))
        types = schemas["problem"]["properties"]["type"]["enum"]
        self.assertEqual(set(types), set(errors._CLASSES))
        for name, made in errors._CLASSES.items():
            self.assertEqual(made.__name__.lower(), name.replace("_", ""))
            self.assertIs(getattr(hebb, made.__name__), made)

    def test_an_error_says_what_and_where(self):
        db = self.database()
        with self.assertRaises(hebb.InvalidArgument) as raised:
            db.rank(limit=0)
        error = raised.exception
        self.assertEqual((error.type, error.field, error.reason, error.line, error.retry_after),
                         ("invalid_argument", "limit", None, None, None))
        self.assertIn("has to be", error.detail)
        self.assertEqual(str(error), error.detail)
        self.assertEqual(error.problem["title"], "a field is wrong")
        self.assertEqual(pickle.loads(pickle.dumps(error)).problem, error.problem)
        with self.assertRaises(hebb.NotFound):
            db.show("nothing")
        with self.assertRaisesRegex(hebb.InvalidArgument, "outcomes"):
            db.call("outcomes")

    def test_a_database_that_cannot_be_opened(self):
        with self.assertRaises(hebb.NoDatabase):
            hebb.open(self.path, create=False)
        with self.assertRaises(hebb.NoDatabase):
            hebb.open(os.path.join(self.folder, "no/folder/x.db"))
        with self.assertRaises(hebb.InvalidArgument) as raised:
            hebb.open(self.path, busy_timeout_ms=-1)
        self.assertEqual(raised.exception.field, "busy_timeout_ms")
        with self.assertRaisesRegex(ValueError, "null character"):
            hebb.open("x\0.db")

    def test_a_busy_database_says_when_to_try_again(self):
        db = hebb.open(self.path, busy_timeout_ms=1)
        self.addCleanup(db.close)
        db.add("Task")
        other = sqlite3.connect(self.path, isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        with self.assertRaises(hebb.Busy) as raised:
            db.add("Another")
        self.assertEqual(raised.exception.retry_after, 1.0)
        other.execute("ROLLBACK")
        db.add("Another")


class Life(Case):
    def test_after_closing_every_use_says_so(self):
        with hebb.open(self.path) as db:
            db.add("Task")
        db.close()
        for use in (db.rank, db.cancel, lambda: db.call("rank"), lambda: db.stream("rank")):
            with self.assertRaisesRegex(hebb.Conflict, "closed"):
                use()

    def test_what_is_forgotten_is_closed(self):
        with mock.patch.object(_library.Library, "close", autospec=True) as close:
            db = hebb.open(":memory:")
            gone = weakref.ref(db)
            stream = db.stream("rank")
            del db
            gc.collect()
            self.assertIsNone(gone())  # a stream does not need it
            self.assertEqual(list(stream), [])
        close.assert_called_once()

    def test_a_child_of_a_fork_opens_it_itself(self):
        db = self.database(tasks=1, path=self.path)
        stream = db.stream("rank")
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            seen = []
            seen.append([row.id for row in stream])  # which need no database
            for use in (db.rank, lambda: db.add("From the child"), lambda: db.stream("rank")):
                try:
                    use()
                    seen.append("done")
                except hebb.Conflict as error:
                    seen.append("fork" if "fork" in error.detail else error.detail)
            db.close()
            with hebb.open(self.path) as own:
                seen.append(own.add("From the child").task.name)
            os.write(write, json.dumps(seen).encode())
            os._exit(0)
        os.close(write)
        with open(read, encoding="utf-8") as answer:
            self.assertEqual(json.load(answer), [["t-0"], *["fork"] * 3, "From the child"])
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(db.rank().total, 2)
        self.assertTrue(db.verify().ok)

    def test_python_ends_in_the_midst_of_a_stream(self):
        self.many_in_file()
        script = textwrap.dedent("""
            import hebb, sys
            db = hebb.open(sys.argv[1])
            stream = db.stream("rank", limit=100000)
            print(next(stream).rank)
        """)
        ended = subprocess.run([sys.executable, "-c", script, self.path], capture_output=True,
                               text=True)
        self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("1\n", "", 0))

    def many_in_file(self):
        with hebb.open(self.path) as db:
            lines = [json.dumps({"kind": "node", "id": f"t-{n}", "type": "TASK", "name": "x",
                                 "at": "2026-01-01T00:00:00Z"}) for n in range(5000)]
            db.ingest(content="\n".join(lines), format="history")


class Threads(Case):
    def test_any_thread_may_call(self):
        db = self.database(path=self.path)
        failed = []

        def work(number):
            try:
                for n in range(20):
                    task = db.add(f"Task {number}-{n}").task
                    db.outcome(task.id, "success")
                    db.rank(limit=3)
            except Exception as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertEqual(db.stats().outcomes, 160)
        self.assertTrue(db.verify().ok)

    def test_closing_waits_for_calls_of_other_threads(self):
        db = self.many()
        began, ended = threading.Event(), []

        def work():
            while True:
                try:
                    began.set()
                    db.rank(limit=1000)
                except hebb.Conflict as error:
                    ended.append(error.detail)
                    return

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        began.wait()
        db.close()
        for thread in threads:
            thread.join()
        self.assertEqual(ended, ["this database is closed"] * 4)

    def test_cancel_ends_the_calls_of_other_threads(self):
        db = self.many()
        self.assert_cancel_ends_calls(db)
        self.assertTrue(db.verify().ok)


class Streams(Case):
    def test_a_stream_gives_the_rows_of_a_call(self):
        db = self.many()
        with db.stream("rank", limit=5000) as stream:
            rows = list(stream)
        whole = db.rank(limit=5000)
        self.assertEqual(rows, list(whole.tasks))
        self.assertEqual(stream.answer["total"], whole.total)
        self.assertNotIn("tasks", stream.answer)
        self.assertEqual(list(stream), [])

    def test_other_calls_may_come_in_between(self):
        db = self.many()
        first, second = db.stream("rank", limit=5000), db.stream("list", limit=5000)
        for n, (one, other) in enumerate(zip(first, second)):
            if n in (0, 2500):
                self.assertEqual(db.show(one.id).task.id, one.id)
        self.assertEqual(n, 4999)

    def test_its_rows_are_those_of_when_it_ran(self):
        db = self.database(tasks=3)
        ids = [task.id for task in db.rank()]
        stream = db.stream("rank")
        self.assertEqual(stream.answer["total"], 3)
        db.outcome(next(stream).id, "success")
        db.close()
        self.assertEqual([row.id for row in stream], ids[1:])

    def test_its_rows_are_freed_when_it_ends_is_closed_or_forgotten(self):
        db, lib = self.database(tasks=3), _library.library()
        with mock.patch.object(lib, "hebb_end", wraps=lib.hebb_end) as end:
            list(db.stream("rank"))
            self.assertEqual(end.call_count, 1)
            with db.stream("rank") as stream:
                next(stream)
            self.assertEqual(end.call_count, 2)
            self.assertEqual(list(stream), [])
            stream = db.stream("rank")
            del stream
            gc.collect()
            self.assertEqual(end.call_count, 3)

    def test_its_errors_come_at_once(self):
        db = self.database(tasks=1)
        with self.assertRaises(hebb.InvalidArgument):
            db.stream("rank", limit=-1)
        with self.assertRaises(hebb.InvalidArgument):
            db.stream("nothing")
        with mock.patch.object(_library.library(), "hebb_next", return_value=11):
            stream = db.stream("rank")
        with self.assertRaises(hebb.NoMemory):
            next(stream)


class Asyncio(Case):
    def test_the_same_operations_are_awaited(self):
        async def work():
            async with hebb.aio.open(self.path) as db:
                tasks = await asyncio.gather(*(db.add(f"Task {n}") for n in range(20)))
                self.assertEqual(len({answer.task.id for answer in tasks}), 20)
                ids = [row.id async for row in db.stream("rank", limit=20)]
                async with db.stream("rank", limit=5) as stream:
                    self.assertEqual(stream.answer["total"], 20)
                    self.assertEqual((await stream.__anext__()).id, ids[0])
                self.assertEqual([row async for row in stream], [])
                self.assertEqual(ids, [task.id for task in await db.rank(limit=20)])
                with self.assertRaises(hebb.NotFound):
                    await db.show("nothing")
            with self.assertRaises(hebb.Conflict):
                await db.rank()

        asyncio.run(work())

    def test_cancelling_a_task_cancels_its_call_alone(self):
        with hebb.open(self.path) as db:
            lines = [json.dumps({"kind": "node", "id": f"t-{n}", "type": "TASK", "name": "x",
                                 "at": "2026-01-01T00:00:00Z"}) for n in range(20000)]
            db.ingest(content="\n".join(lines), format="history")

        async def work():
            db = await hebb.aio.open(self.path)
            with mock.patch.object(db._database, "cancel", wraps=db._database.cancel) as cancel:
                running = asyncio.create_task(db.verify())
                waiting = asyncio.create_task(db.rank())
                while not db._database._inside:
                    await asyncio.sleep(0)
                running.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await running
                self.assertEqual((await waiting).total, 20000)
                cancel.assert_called_once()
            await db.close()

        asyncio.run(work())

    def test_others_run_while_a_stream_is_read(self):
        async def work():
            async with hebb.aio.open(self.path) as db:
                await asyncio.gather(*(db.add(f"Task {n}") for n in range(250)))
                turns = 0

                async def count():
                    nonlocal turns
                    while True:
                        await asyncio.sleep(0)
                        turns += 1

                async with db.stream("rank", limit=250) as stream:
                    counter = asyncio.create_task(count())
                    self.assertEqual(len([row async for row in stream]), 250)
                counter.cancel()
                self.assertGreaterEqual(turns, 1)

        asyncio.run(work())


class SecondSqlite(Case):
    """Python's own SQLite opens the file that hebb has open."""

    def count(self):
        other = sqlite3.connect(self.path)
        try:
            return other.execute("SELECT count(*) FROM event").fetchone()[0]
        finally:
            other.close()  # which would release the locks of this process, were they POSIX's

    def test_before_during_and_after_writes(self):
        before = sqlite3.connect(self.path)
        db = self.database(path=self.path)
        for n in range(50):
            task = db.add(f"Task {n}").task
            events = self.count()
            db.outcome(task.id, "success")
            self.assertGreater(self.count(), events)
            before.execute("SELECT count(*) FROM node").fetchall()
        before.close()
        db.close()
        self.assertGreaterEqual(self.count(), 100)
        with hebb.open(self.path, create=False) as again:
            self.assertEqual(again.stats().outcomes, 50)
            self.assertTrue(again.verify().ok)

    def test_a_killed_process_loses_no_write_that_was_done(self):
        script = textwrap.dedent("""
            import hebb, sqlite3, sys
            db = hebb.open(sys.argv[1])
            n = 0
            while True:
                task = db.add(f"Task {n}").task
                sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM event").fetchall()
                print(task.id, flush=True)
                n += 1
        """)
        for kill_after in (1, 20):
            process = subprocess.Popen([sys.executable, "-c", script, self.path],
                                       stdout=subprocess.PIPE, text=True)
            ids = [process.stdout.readline().strip() for _ in range(kill_after)]
            process.send_signal(signal.SIGKILL)
            ids += process.stdout.read().split("\n")[:-1]
            process.stdout.close()
            self.assertEqual(process.wait(), -signal.SIGKILL)
            with hebb.open(self.path, create=False) as db:
                for id in ids:
                    db.show(id)
                self.assertTrue(db.verify().ok)
        self.assertGreater(self.count(), 20)


class WithoutTheLibrary(Case):
    """The program `hebb pipe` takes the place of the library."""

    def setUp(self):
        super().setUp()
        for patch in (mock.patch.object(_library, "library", lambda: None),
                      mock.patch.dict(os.environ, PATH=os.path.dirname(HEBB))):
            patch.start()
            self.addCleanup(patch.stop)

    def test_it_does_the_same(self):
        with hebb.open(self.path, tz="Europe/Berlin", now="2026-01-05T00:00:00Z") as db:
            for n in range(3):
                db.add(f"Task {n}", id=f"t-{n}", due_at="2026-01-06 12:00")
            self.assertEqual([row.rank for row in db.stream("rank")], [1, 2, 3])
            self.assertEqual(db.show("t-0").task.due_at.hour, 11)
            with self.assertRaises(hebb.NotFound):
                db.show("nothing")
            with db.stream("rank") as stream:
                next(stream)
        with self.assertRaisesRegex(hebb.Conflict, "closed"):
            db.rank()

    def test_what_cannot_be_opened_says_why(self):
        with self.assertRaises(hebb.NoDatabase):
            hebb.open(self.path, create=False)
        with self.assertRaises(hebb.NoDatabase):
            hebb.open(os.path.join(self.folder, "no/folder/x.db"))
        with self.assertRaisesRegex(hebb.InvalidArgument, "busy_timeout_ms"):
            hebb.open(self.path, busy_timeout_ms=1)

    def test_without_a_path_it_is_the_one_of_the_command_line(self):
        with mock.patch.dict(os.environ, HEBB_DB=self.path):
            with hebb.open() as db:
                self.assertEqual(db.init().database, self.path)
            with self.assertRaisesRegex(hebb.InvalidArgument, "create"):
                hebb.open(create=False)

    def test_a_program_that_has_ended_is_noticed(self):
        db = self.database(path=self.path)
        db._connection._process.kill()
        db._connection._reader.join()
        with self.assertRaisesRegex(hebb.Failed, "has ended"):
            db.rank()

    def test_cancel(self):
        db = self.database(path=self.path, tasks=1)
        self.assert_cancel_ends_calls(db)

    def test_without_the_program_either_it_says_what_to_install(self):
        with mock.patch.object(_pipe, "program", lambda: None):
            with self.assertRaisesRegex(hebb.Failed, "not installed"):
                hebb.open(self.path)


if __name__ == "__main__":
    unittest.main()
