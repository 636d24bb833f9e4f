"""What the parts of scripts/study-skills have in common: a site, hebb, packages, tables."""
import collections
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Site:
    """Serves a folder, and pages that are made on the spot."""

    def __init__(self, folder):
        self.pages = {}  # by path: (type, bytes)
        self.told = collections.defaultdict(list)  # by run: what its page told by POST
        site = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def end_headers(self):
                self.send_header("Cache-Control", "no-store")
                super().end_headers()

            def do_GET(self):
                made = site.pages.get(urllib.parse.urlsplit(self.path).path)
                if made is None:
                    return super().do_GET()
                self.answer(*made)

            def do_POST(self):
                said = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                said["body"] = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                site.told[said.get("run")].append(said)
                self.answer("text/plain", b"")

            def answer(self, kind, content):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def handle(self):
                try:
                    super().handle()
                except ConnectionError:
                    pass  # the browser was ended

        handler = functools.partial(Handler, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.domain = f"localhost:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def url(self, path):
        return f"http://{self.domain}/{path}"

    def put(self, path, text, kind="text/html; charset=utf-8"):
        self.pages["/" + path] = (kind, text.encode())


class Hebb:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="study-skills-")
        self.db = f"{self.folder}/hebb.db"

    def __call__(self, *arguments, given=None):
        run = subprocess.run([self.program, "--db", self.db, *map(str, arguments)], input=given, text=True,
                             capture_output=True)
        return run.returncode, run.stdout, run.stderr

    def must(self, *arguments, given=None):
        code, out, err = self(*arguments, given=given)
        if code != 0:
            sys.exit(f"hebb {' '.join(map(str, arguments))}: {err or out}")
        return out

    def record(self, site, name, steps, start, contract):
        """Keeps steps with their chains, as a recorder has written them for the page at `start`."""
        version = 1 if all(s["kind"] in ("click", "fill", "press") for s in steps) else 2
        artifact = {"schema_version": version, "recorded_at": 0, "recorder": {"hebb_version": "0"},
                    "steps": steps}
        self.must("skill", "contract", "set", name, "--from", "-",
                  given=json.dumps({"assertions": contract}))
        self.must("skill", "record", site.domain, name, "--from-artifact", "-", "--start-url", start,
                  "--contract", name, given=json.dumps(artifact))

    def run(self, name, *options, what="run"):
        _, out, err = self("skill", what, name, "--json", *options)
        try:
            return json.loads(out)
        except json.JSONDecodeError:
            sys.exit(f"hebb skill {what} {name}: {err}")


class Others:
    """The programs that hebb is compared with, in others.mjs; None where they cannot be installed."""

    def __init__(self, work, chromium):
        here = pathlib.Path(__file__).resolve().parent
        installed = subprocess.run([ROOT / "scripts/npm-install", here, work / "oracles"], text=True,
                                   stdout=subprocess.PIPE)
        if installed.returncode != 0:
            sys.exit(installed.stdout.strip() or "npm-install failed")
        self.process = subprocess.Popen(["node", here / "others.mjs", work / "oracles", chromium], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, do, **request):
        self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "it has ended"}')
        if "error" in answer:
            sys.exit(f"others.mjs, {do}: {answer['error']}")
        return answer["value"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def fetched(work, package, version):
    """The folder of an npm package."""
    folder = work / f"{package}-{version}"
    if not (folder / "package").exists():
        folder.mkdir(parents=True)
        packed = subprocess.run(["npm", "pack", "--silent", f"{package}@{version}"], cwd=folder, text=True,
                                capture_output=True, check=True).stdout.split()[-1]
        subprocess.run(["tar", "xzf", packed], cwd=folder, check=True)
    return folder / "package"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)
