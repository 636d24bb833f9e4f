"""Steps on pages that were changed by a seed: does each program still act on the same element?

A page is kept as it is after its scripts have run, without them. tests/skill/site/mutate.js numbers its
elements, changes it, and keeps the numbers of what is pressed, where no selector can see them.
"""
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys

from study import ROOT, Others, Site, fetched, table

KINDS = {
    "ids and classes renamed": "rename",
    "ids and classes exchanged": "exchange",
    "siblings in another order": "reorder",
    "elements wrapped": "wrap",
    "texts translated": "translate",
    "renamed, reordered, wrapped, translated": "rename,reorder,wrap,translate",
    "elements removed": "remove",
    "all of these": "remove,rename,exchange,reorder,wrap,translate",
}
TODO = ["vanillajs", "backbone", "angularjs", "knockoutjs"]
SINK = ["actions", "querying", "traversal", "viewport"]
OTHERS = {"css": "one css", "xpath": "one xpath", "puppeteer": "@puppeteer/replay",
          "playwright": "Playwright"}
TOOLS = {"replay": "hebb, replay", "heal": "hebb, heal", **OTHERS}
STEP_MS = 500


class Page:
    """A page as it stood, and the elements of it that are pressed."""

    def __init__(self, others, site, name, path, live, prepare, count):
        self.site, self.path, self.name = site, path, name
        html = others("snapshot", url=site.url(live), prepare=prepare)
        end = html.rfind("</body>")
        site.put(path, "<!doctype html>" + html[:end] + '<script src="/mutate.js"></script>' + html[end:])
        self.targets = others("targets", url=self.url("", 1), count=count)

    def url(self, kinds, seed):
        return self.site.url(f"{self.path}?mutate={kinds}&seed={seed}")


def pages(others, work, count):
    script = (ROOT / "tests/skill/site/mutate.js").read_text()
    todo = Site(fetched(work, "todomvc", "0.1.1") / "examples")
    sink = Site(fetched(work, "cypress-example-kitchensink", "7.0.0") / "app")
    for site in (todo, sink):
        site.put("mutate.js", script, "text/javascript")
    entries = [{"css": "#new-todo, .new-todo", "text": t} for t in ("Buy milk", "Walk the dog")]
    for name in TODO:
        yield Page(others, todo, name, f"{name}/kept.html", f"{name}/index.html", entries, count)
    for name in SINK:
        yield Page(others, sink, name, f"commands/{name}-kept.html", f"commands/{name}.html", [], count)


def by_hebb(program, work, kept, variants):
    """Starts what records and presses for hebb. A call of the result waits for what it pressed."""
    file = work / "mutations.json"
    file.write_text(json.dumps({"step_ms": STEP_MS, "pages": [
        {"url": p.url("", 1), "elements": [t["css"] for t in p.targets],
         "runs": [p.url(kinds, seed) for _, kinds, seed in variants]} for p in kept]}))
    run = subprocess.Popen([program, "[.study]"], env={**os.environ, "HEBB_STUDY": str(file)}, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ended():
        said = run.communicate()[0]
        if run.returncode != 0:
            sys.exit(f"{program}: {said[-3000:]}")
        return json.loads(pathlib.Path(f"{file}.out").read_text())

    return ended


def mutations(program, work, chromium, seeds, count):
    others = Others(work, chromium)
    kept = list(pages(others, work, count))
    variants = [("nothing", "", 1), *((label, kinds, s) for label, kinds in KINDS.items() for s in seeds)]
    ended = by_hebb(program, work, kept, variants)
    left, pressed = {}, collections.defaultdict(dict)  # by address
    for page, (_, kinds, seed) in itertools.product(kept, variants):
        url = page.url(kinds, seed)
        left[url] = set(others("left", url=url))
        for tool in OTHERS:
            pressed[url][tool] = others("press", url=url, tool=tool, targets=page.targets, timeout=STEP_MS)
    others.close()
    own = ended()
    counts, wrong = collections.defaultdict(collections.Counter), []
    for page, answer in zip(kept, own):
        for (label, kinds, seed), by_own in zip(variants, answer["runs"]):
            url = page.url(kinds, seed)
            for tool, did in {**by_own, **pressed[url]}.items():
                for target, numbers in zip(page.targets, did):
                    there = target["number"] in left[url]
                    same = numbers is not None and there and target["number"] in numbers
                    counts[tool, label].update(there=there, same=same, wrong=numbers is not None and not same)
                    if tool not in OTHERS and numbers is not None and not same:
                        wrong.append((tool, url, target["css"], numbers[:1]))
    recorded = sum(sum(answer["recorded"]) for answer in own)
    print(f"Mutations: {sum(len(p.targets) for p in kept)} elements of {len(kept)} pages, {recorded} of which "
          f"hebb records; seeds {', '.join(map(str, seeds))}\n")
    table(["changed", "elements left", *TOOLS.values()],
          [(label, counts["replay", label]["there"],
            *(f"{c['same'] / max(1, c['there']):.0%}, {c['wrong']} wrong" for c in (counts[t, label] for t in TOOLS)))
           for label in ["nothing", *KINDS]])
    for one in wrong:
        print("wrong:", *one)
