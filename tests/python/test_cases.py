"""Each case of tests/serve/cases.jsonl, a request and what it gives, through the package."""
import inspect
import json
import keyword
import os
import shutil
import tempfile
import unittest
from unittest import mock

import hebb
from hebb import _library

SOURCE = os.environ["HEBB_SOURCE"]
NOW = 1767571200000  # that of the cases


def cases():
    with open(os.path.join(SOURCE, "tests/serve/cases.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compared(answer):
    """Without what depends on where the database is, and, of a problem, its words."""
    if "problem" in answer:
        kept = {name: answer["problem"][name] for name in ("type", "field", "reason")
                if name in answer["problem"]}
        return {"problem": kept}
    return {name: value for name, value in answer.items()
            if name not in ("bytes", "database", "made")}


class Cases(unittest.TestCase):
    maxDiff = None

    def run_all(self, path, ask):
        with hebb.open(path, now=NOW) as db:
            for case in cases():
                with self.subTest(ask=case["ask"], request=case["with"]):
                    try:
                        answer = ask(db, case["ask"], case["with"])
                    except hebb.Error as error:
                        self.assertEqual(type(error).__name__.lower(),
                                         error.type.replace("_", ""))
                        answer = {"problem": error.problem}
                    self.assertEqual(compared(answer), case["gives"])

    def test_by_name(self):
        self.run_all(":memory:", lambda db, name, request: db.call(name, **request))

    def test_by_methods(self):
        typed = []

        def ask(db, name, request):
            method = getattr(db, name)
            arguments = {field + "_" if keyword.iskeyword(field) else field: value
                         for field, value in request.items()}
            try:
                inspect.signature(method).bind(**arguments)
            except TypeError:  # the case is about a field that is missing or unknown
                return db.call(name, **request)
            typed.append(name)
            result = method(**arguments)
            self.assertIn(type(result).__name__, repr(result))  # which converts all fields
            return result.json

        self.run_all(":memory:", ask)
        self.assertGreater(len(typed), 200)
        self.assertGreater(len(set(typed)), 45)

    def test_by_the_pipe(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        hebb_folder = os.path.dirname(os.environ["HEBB"])
        with mock.patch.object(_library, "library", lambda: None), \
                mock.patch.dict(os.environ, PATH=hebb_folder + ":" + os.environ["PATH"]):
            self.run_all(os.path.join(folder, "x.db"),
                         lambda db, name, request: db.call(name, **request))


if __name__ == "__main__":
    unittest.main()
