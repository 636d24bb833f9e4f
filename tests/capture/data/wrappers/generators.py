"""Generators, which fail after their function has returned. argv[1]: the folder of hebb_trace.py."""
import asyncio
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from hebb_trace import traced  # noqa: E402


@traced("gen")
def counts():
    yield 1
    raise ValueError("late")


@traced("gen")
async def counts_later():
    yield 2
    raise ValueError("later")


async def go_through():
    async for n in counts_later():
        print(n)


try:
    for n in counts():
        print(n)
except ValueError as error:
    print(error)
try:
    asyncio.run(go_through())
except ValueError as error:
    print(error)
