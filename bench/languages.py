"""How long do `rank` and `outcome` take from each language, beside the C interface?

  python3 languages.py PACKAGES [ROUNDS]    PACKAGES: the folder that scripts/package makes

Each language calls what people install: the library and the program of the tarball, the wheel, the npm package. Each is
a process with a copy of the same database (examples/neo). They take turns: a round is one batch of calls of each, and
the figure of a language is the median over the rounds of the median of a batch. All do the same: they rank 20 tasks and
read the id of each from the answer, in C by jansson; and they report a failure of one task, which is on the disk when
the call returns.
"""
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HISTORY = os.path.join(HERE, "../examples/neo/history.jsonl")
GOAL = 1.3  # times the C interface
BROKEN = 10  # times
FLOOR = "C, jansson"
CALLS = {"rank": 40, "outcome": 20}  # of a batch


def unpack(packages: str, folder: str) -> str:
    """The folder of the tarball; beside it are python/ and node/."""
    [tarball] = glob.glob(f"{packages}/hebb-*-linux-x86_64.tar.gz")
    [npm] = glob.glob(f"{packages}/hebb-*.tgz")
    [wheel] = glob.glob(f"{packages}/hebb_engine-*.whl")
    shutil.unpack_archive(tarball, folder)
    shutil.unpack_archive(wheel, f"{folder}/python", "zip")
    shutil.unpack_archive(npm, f"{folder}/node", "gztar")
    [installed] = glob.glob(f"{folder}/hebb-*")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-D_GNU_SOURCE", f"-I{installed}/include",
                    f"{HERE}/languages/calls.c", "-o", f"{folder}/calls", f"{installed}/lib/libhebb.so.0",
                    f"-Wl,-rpath,{installed}/lib", "-ljansson"], check=True)
    return installed


class Peer:
    """A program that reads lines `OPERATION CALLS ID` and answers each with the nanoseconds of a call."""

    def __init__(self, command: list, database: str, **environment: str) -> None:
        self.process = subprocess.Popen([*command, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})

    def milliseconds(self, operation: str, calls: int, task: str) -> float:
        print(operation, calls, task, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"languages: {self.process.args} ended with {self.process.wait()}")
        return float(line) / 1e6

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def measure(packages: str, rounds: int) -> list:
    took: dict = {}
    with tempfile.TemporaryDirectory() as folder:
        hebb = f"{unpack(packages, folder)}/bin/hebb"
        first = f"{folder}/first.db"
        subprocess.run([hebb, "--db", first, "import", "-q", HISTORY], check=True)
        tasks = json.loads(subprocess.check_output([hebb, "--db", first, "rank", "--limit", "20", "--json"]))["tasks"]
        commands = {
            FLOOR: ([f"{folder}/calls", "library"], {}),
            "C, the answer not read": ([f"{folder}/calls", "text"], {}),
            "pipe, from C": ([f"{folder}/calls", hebb], {}),
            "Python": ([sys.executable, f"{HERE}/languages/calls.py"], {"PYTHONPATH": f"{folder}/python"}),
        }
        if shutil.which("node"):
            script = ["node", f"{HERE}/languages/calls.cjs"]
            commands["Node"] = (script, {"HEBB_PACKAGE": f"{folder}/node/package"})
            commands["Node, callSync()"] = ([*script, "sync"], {"HEBB_PACKAGE": f"{folder}/node/package"})
        peers = {}
        for name, (command, environment) in commands.items():
            own = f"{folder}/{len(peers)}.db"
            shutil.copy(first, own)
            peers[name] = Peer(command, own, **environment)
        names = list(peers)
        for number in range(rounds + 1):
            for operation, calls in CALLS.items():
                for name in [*names[number % len(names):], *names[:number % len(names)]]:
                    ms = peers[name].milliseconds(operation, calls, tasks[number % len(tasks)]["id"])
                    if number > 0:  # the first call of a process has more to do
                        took.setdefault((operation, name), []).append(ms)
        for peer in peers.values():
            peer.end()
    tables = []
    for operation in CALLS:
        floor = statistics.median(took[operation, FLOOR])
        rows = [{"name": name, "unit": "ms", "value": statistics.median(took[operation, name]), "floor": floor,
                 "of": FLOOR, "target": f"at most {GOAL}",
                 "met": statistics.median(took[operation, name]) <= GOAL * floor} for name in peers if name != FLOOR]
        tables.append({"world": operation, "rows": rows})
    return tables


def main(packages: str, rounds: str = "25") -> None:
    tables = measure(packages, int(rounds))
    for table in tables:
        print(f"{table['world']}: {table['rows'][0]['floor']:.3f} ms from {FLOOR}")
        for row in table["rows"]:
            print(f"  {row['name']:24} {row['value']:8.3f} ms  {row['value'] / row['floor']:.2f} x"
                  f"  {'met' if row['met'] else 'MISS'}", flush=True)
    if "HEBB_BENCH_JSON" in os.environ:
        with open(os.environ["HEBB_BENCH_JSON"], "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(table) + "\n" for table in tables))
    slow = [row["name"] for table in tables for row in table["rows"] if row["value"] > BROKEN * row["floor"]]
    if slow:
        sys.exit(f"languages: more than {BROKEN} times the C interface: {', '.join(slow)}")


main(*sys.argv[1:])
