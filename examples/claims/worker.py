#!/usr/bin/env python3
"""A worker over HTTP with nothing but the standard library. Prints the tasks that it did."""
import http.client
import json
import sys

host, agent = sys.argv[1], "python"
connection = http.client.HTTPConnection(host)


def post(path, fields):
    connection.request("POST", path, json.dumps(fields), {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status != 200:
        raise SystemExit(answer["detail"])
    return answer


while tasks := post("/v1/next", {"claim": True, "agent": agent})["tasks"]:
    task = tasks[0]
    # The work is to be done here.
    post(f"/v1/tasks/{task['id']}/outcome",
         {"outcome": "success", "token": task["token"], "agent": agent})
    print(task["id"])
