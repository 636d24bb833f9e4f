"""Traced calls while something else collects what is printed. argv[1]: the folder of hebb_trace.py."""
import contextlib
import io
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from hebb_trace import traced  # noqa: E402


@traced("pri:nts")
def prints(text):
    print(text)


collected = io.StringIO()
with contextlib.redirect_stdout(collected):
    prints("one")
    prints("two")
print(repr(collected.getvalue()))
