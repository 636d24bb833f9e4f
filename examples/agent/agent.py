#!/usr/bin/env python3
"""An agent that works through what hebb says is next, over the Model Context Protocol.

It takes a task, does it, says how it came out, and asks again, until nothing is left or it has done as many steps as
it was given. The work of a task is its name, run by sh; a real agent would read the task and write code.

    agent.py STEPS [COMMAND …]        the command that starts the server; default: hebb mcp
"""
import json
import subprocess
import sys

server = subprocess.Popen(sys.argv[2:] or ["hebb", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
requests = 0


def request(method, params):
    global requests
    requests += 1
    message = {"jsonrpc": "2.0", "id": requests, "method": method, "params": params}
    print(json.dumps(message), file=server.stdin, flush=True)
    reply = json.loads(server.stdout.readline())
    if "error" in reply:
        raise SystemExit(reply["error"]["message"])
    return reply["result"]


def call(tool, **fields):
    result = request("tools/call", {"name": tool, "arguments": fields})
    if result.get("isError"):
        raise SystemExit(result["content"][0]["text"])
    return result["structuredContent"]


request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                       "clientInfo": {"name": "agent", "version": "1"}})
print('{"jsonrpc":"2.0","method":"notifications/initialized"}', file=server.stdin, flush=True)
for _ in range(int(sys.argv[1])):
    tasks = call("next", claim=True, agent="ann")["tasks"]
    if not tasks:
        print("nothing is left")
        break
    task = tasks[0]
    why = f" ({', '.join(task['why'])})" if task["why"] else ""
    print(f"next: {task['id']}{why}")
    work = subprocess.run(["sh", "-c", task["name"]])
    outcome = "success" if work.returncode == 0 else "failure"
    call("outcome", id=task["id"], outcome=outcome, token=task["token"], agent="ann")
    print(f"      {task['name']}: {outcome}")
server.stdin.close()
server.wait()
