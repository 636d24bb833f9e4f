"""The calls that the test of the wrappers expects. argv[1]: the folder of hebb_trace.py."""
import asyncio
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from hebb_trace import traced  # noqa: E402


@traced("in:ner")
def inner(a, b):
    return a + b


@traced("out:er")
async def outer(a, b):
    await asyncio.sleep(0)
    return inner(a, b)


def broken():
    raise ValueError('boom "\x1b[31m" \udc80')


class Method:
    base = 2

    @traced("meth:od")
    def plus(self, n):
        return self.base + n


print("outer", asyncio.run(outer(1, 2)))
try:
    traced("bro:ken", broken)()
except ValueError as error:
    print("caught", str(error)[:4])
try:
    with traced("bro:ken"):
        raise KeyboardInterrupt
except KeyboardInterrupt:
    print("caught undefined")
print("method", Method().plus(3))
sys.stdout.flush()
subprocess.run(["sh", "-c", "echo key ${HEBB_TRACE_KEY-none}"], check=True)
sys.exit(7)
