"""The same recordings of DevTools' Recorder, run by @puppeteer/replay and imported and run by hebb: is the
page then the same? The recordings were written for this, in the format that the package documents; it has
none in itself. tests/skill/site/recorder.html tells the server its state when its button Done is pressed."""
import json

from study import ROOT, Others, Site, table

SIZE = {"type": "setViewport", "width": 1000, "height": 700, "deviceScaleFactor": 1, "isMobile": False,
        "hasTouch": False, "isLandscape": False}


def click(*selectors, **more):
    return {"type": "click", "target": "main", "selectors": [list(s) if isinstance(s, list) else [s]
                                                             for s in selectors],
            "offsetX": 5, "offsetY": 5, **more}


def on(kind, *selectors, **more):
    return {"type": kind, "target": "main",
            "selectors": [s if isinstance(s, list) else [s] for s in selectors], **more}


def change(value, *selectors, **more):
    return on("change", *selectors, value=value, **more)


def key(name):
    return [{"type": t, "target": "main", "key": name} for t in ("keyDown", "keyUp")]


DONE = click("aria/Done", "#done")
# What is recorded: its steps, between opening the page and pressing Done.
RECORDINGS = {
    "fields of a form": [change("Ada", "aria/Name", "#name"), change("a note", "#note"), change("m", "#size"),
                         click("aria/I agree", "#agree"), change("2026-01-05", "#day"),
                         click("#way-b"), click("aria/Send it", "text/Send it")],
    "a field written anew": [change("first", "#name"), change("second", "#name"), change("", "#note")],
    "a slider": [change("8", "#level")],
    "an editable text": [change("new", "#text")],
    "keys": [click("#name"), *key("a"), *key("B"), *key("Tab"), *key("x"), click("#name"), *key("Home"),
             *key("Delete"), *key("ArrowRight"), *key("c"), *key("Enter")],
    "keys held": [change("abc", "#name"), click("#name"), {"type": "keyDown", "target": "main", "key": "Shift"},
                  *key("Home"), {"type": "keyUp", "target": "main", "key": "Shift"}, *key("Backspace"), *key("z")],
    "two clicks, other buttons": [{**click("#twice"), "type": "doubleClick"},
                                  click("#menu", button="secondary"), click("#menu", button="auxiliary")],
    "the mouse over it": [on("hover", "text/Over here")],
    "scrolling": [{"type": "scroll", "target": "main", "x": 0, "y": 300}, on("scroll", "#box", x=0, y=120)],
    "a shadow root, by a list": [click(["my-host", "#deep"])],
    "a shadow root, pierced": [click("pierce/#deep")],
    "a frame": [change("77", "#code", frame=[0])],
    "a frame's button, by its name": [click("aria/Inner", frame=[0])],
    "the second selector": [click("#not-there", "xpath///*[@id='twice']"), click("aria/Nobody", "#send")],
    "an xpath with conditions": [click("xpath///li[contains(., 'two')]/button")],
    "name and role": [click("aria/Send it[role=\"button\"]")],
    "an element that comes late": [click("#send"), click("#after")],
    "waiting for an element": [click("#send"), on("waitForElement", "#after"), click("#after")],
    "waiting for a number of elements": [on("waitForElement", ".same", operator="==", count=2), click("#twice")],
    "waiting for an element to be gone": [on("waitForElement", "#nowhere", visible=False), click("#twice")],
    "waiting for an attribute": [click("#send"), on("waitForElement", "#after", attributes={"data-state": "ready"}),
                                 click("#after")],
    "waiting for a property": [change("abc", "#name"), on("waitForElement", "#name", properties={"value": "abc"})],
    "waiting for an expression": [click("#send"), {"type": "waitForExpression", "target": "main",
                                                   "expression": "!!document.getElementById('after')"},
                                  click("#after")],
    "a page that is opened, and closed": [
        click("#open"), change("9", "#code", target="{site}/recorder-frame.html?opened"),
        {"type": "close", "target": "{site}/recorder-frame.html?opened"}],
    "without a network, and with one": [
        {"type": "emulateNetworkConditions", "target": "main", "download": 0, "upload": 0, "latency": 0},
        {"type": "waitForExpression", "target": "main", "expression": "!navigator.onLine"},
        {"type": "emulateNetworkConditions", "target": "main", "download": 500000, "upload": 500000, "latency": 0},
        click("#twice")],
    "no such element": [click("#nowhere")],
    "an element that cannot be seen": [on("waitForElement", "#late button")],
    "an attribute that never comes": [on("waitForElement", "#name", attributes={"data-state": "ready"})],
    "an expression that never holds": [{"type": "waitForExpression", "target": "main", "expression": "1 > 2"}],
    "an option that is not there": [change("xxl", "#size")],
    "one of two equal elements": [click("aria/Pick", ".same")],
}
TIMEOUT = 2000


def recording(site, name, number, run):
    steps = [SIZE, {"type": "navigate", "url": site.url(f"recorder.html?run={run}-{number}")},
             *RECORDINGS[name], DONE]
    return json.loads(json.dumps({"title": name, "timeout": TIMEOUT, "steps": steps})
                      .replace("{site}", site.url("").rstrip("/")))


def state(site, run):
    told = site.told.pop(run, [])
    return json.loads(told[-1]["body"]) if told else None


def recordings(hebb, work, chromium):
    site = Site(ROOT / "tests/skill/site")
    others = Others(work, chromium)
    rows, same = [], 0
    for number, name in enumerate(RECORDINGS):
        done = others("record", flow=recording(site, name, number, "other"))
        other = state(site, f"other-{number}")
        file = work / "recording.json"
        file.write_text(json.dumps(recording(site, name, number, "hebb")))
        hebb.must("skill", "import", file, "--name", f"recording-{number}")
        result = hebb.run(f"recording-{number}", "--allow-risky", "--step-timeout", TIMEOUT)
        own = state(site, f"hebb-{number}")
        equal = done == result["ok"] and other == own
        same += equal
        if not equal:
            failed = result.get("failure") or {}
            rows.append((name, "done" if done else "refused",
                         failed.get("code", "done"), failed.get("detail", "")[:120], differing(other, own)))
    others.close()
    print(f"Recordings: {len(RECORDINGS)}, {same} of which leave the same page; the others:\n")
    table(["recording", "@puppeteer/replay", "hebb", "why", "members that differ"], rows)


def differing(a, b):
    if a is None or b is None:
        return "only one told its state" if a != b else ""
    return ", ".join(f"{k}: {a[k]} and {b[k]}" for k in a if a[k] != b.get(k))
