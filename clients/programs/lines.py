"""Sends a bulk and takes an export with `requests`, a line at a time, so that neither is in memory as a whole.

    KEY=... lines.py bulk FILE URL      sends the file's lines; prints the results
    KEY=... lines.py export URL         prints the records

It ends with 1 where the store refuses, or the answer was cut off.
"""

import json
import os
import sys

import requests

HEADERS = {"X-Auth-Token": os.environ["KEY"]}
# Seconds for a connection, and between two parts of an answer.
TIMEOUT = (5, 60)


def bulk(file, url):
    headers = {**HEADERS, "Content-Type": "application/x-ndjson"}
    # A generator is sent in chunks; `requests` reads nothing before all of it is sent.
    with open(file, "rb") as lines, requests.post(url, (line for line in lines), headers=headers, timeout=TIMEOUT, stream=True) as answer:
        check(answer)
        last = None
        for last in answer.iter_lines():
            print(last.decode())
        if "summary" not in json.loads(last or "{}"):
            sys.exit("The answer was cut off: send the lines again.")


def export(url):
    headers = {**HEADERS, "Accept": "application/x-ndjson"}
    with requests.get(url, headers=headers, timeout=TIMEOUT, stream=True) as answer:
        check(answer)
        count = 0
        for line in answer.iter_lines():
            print(line.decode())
            count += 1
        if count != int(answer.headers["X-Total-Count"]):
            sys.exit("The answer was cut off.")


def check(answer):
    if answer.status_code != 200:
        sys.exit(f"{answer.status_code} {answer.text}")


{"bulk": bulk, "export": export}[sys.argv[1]](*sys.argv[2:])
