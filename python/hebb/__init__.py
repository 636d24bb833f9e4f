"""hebb: ranks open tasks and learns from how they went.

    import hebb

    with hebb.open("tasks.db") as db:
        for task in db.rank(limit=5):
            print(task.id, task.name)
        db.outcome(task.id, "success")

Every operation of hebb is a method of the open database, with its fields as arguments. An answer is
an object with an attribute for each field, and `.json`; one that is a list can be iterated over.
What fails raises hebb.Error, or a class of it. hebb.aio has the same for asyncio.
"""
from ._database import Database, open
from ._stream import Stream
from .errors import (Busy, Cancelled, Conflict, DamagedLedger, Error, Failed, InvalidArgument,
                     NoDatabase, NoFile, NoMemory, NotFound, ReadOnly, Refused, Unreadable)
from .records import Record, Results, Rows

__all__ = [
    "Busy", "Cancelled", "Conflict", "DamagedLedger", "Database", "Error", "Failed",
    "InvalidArgument", "NoDatabase", "NoFile", "NoMemory", "NotFound", "ReadOnly", "Record",
    "Refused", "Results", "Rows", "Stream", "Unreadable", "open",
]
