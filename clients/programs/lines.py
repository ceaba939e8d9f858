"""Sends a bulk write or receives an export with `requests` line by line, so that memory use is bounded.

    KEY=... lines.py bulk FILE URL      sends the file's lines; prints the results
    KEY=... lines.py export URL         prints the records

Exits with 1 if the store rejects the request or the response is cut off.
"""

import json
import os
import sys

import requests

HEADERS = {"X-Auth-Token": os.environ["KEY"]}
# Seconds for a connection, and between two chunks of a response.
TIMEOUT = (5, 60)


def bulk(file, url):
    headers = {**HEADERS, "Content-Type": "application/x-ndjson"}
    # A generator is sent in chunks; `requests` reads the response after all of it is sent.
    with open(file, "rb") as lines, requests.post(url, (line for line in lines), headers=headers, timeout=TIMEOUT, stream=True) as response:
        check(response)
        last = None
        for last in response.iter_lines():
            print(last.decode())
        if "summary" not in json.loads(last or "{}"):
            sys.exit("The response was cut off. Send the lines again.")


def export(url):
    headers = {**HEADERS, "Accept": "application/x-ndjson"}
    with requests.get(url, headers=headers, timeout=TIMEOUT, stream=True) as response:
        check(response)
        count = 0
        for line in response.iter_lines():
            print(line.decode())
            count += 1
        if count != int(response.headers["X-Total-Count"]):
            sys.exit("The response was cut off.")


def check(response):
    if response.status_code != 200:
        sys.exit(f"{response.status_code} {response.text}")


{"bulk": bulk, "export": export}[sys.argv[1]](*sys.argv[2:])
