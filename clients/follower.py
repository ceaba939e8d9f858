#!/usr/bin/env python3
"""Keeps a copy of a store in a SQLite file, by the store's change feed. Written from docs/contract/sync.md alone.

    KEY=... follower.py --copy copy.db http://127.0.0.1:8080 [another server of the same store ...]

The file has the table `record` (path, resource, record as JSON) and, in the same transactions, the place in the feed. So
the program may be killed at any moment and started again. `--once` ends when everything is told. `--print` prints the copy,
a record a line, with links as the store shows them now. It needs Python 3.9 and `requests`.
"""

import argparse
import json
import os
import sqlite3
import sys
import time

import requests

# The collections that are followed, by the names that the feed has for their records, and the name of their identifier.
COLLECTIONS = {
    "Language": ("languages", "code"),
    "PaymentStatus": ("payment_statuses", "id"),
    "ShippingStatus": ("shipping_statuses", "id"),
    "Tag": ("tags", "id"),
    "Membership": ("memberships", "id"),
    "Sticker": ("stickers", "id"),
    "TaxClass": ("tax_classes", "id"),
    "ProductClass": ("product_classes", "id"),
    "Category": ("categories", "id"),
    "Product": ("products", "id"),
    "Order": ("orders", "id"),
}

# Fields that show another record. It changes and goes without an entry for whoever shows it.
LINKS = {
    ("Product", "tags"): "tags",
    ("Product", "memberships"): "memberships",
    ("Product", "stickers"): "stickers",
    ("Product", "tax_class"): "tax_classes",
    ("Product", "product_class"): "product_classes",
    ("Category", "memberships"): "memberships",
    ("Order", "payment_status"): "payment_statuses",
    ("Order", "shipping_status"): "shipping_statuses",
}

WAIT_SECONDS = 20
CONNECT_SECONDS_MAX = 5
ANSWER_SECONDS_MAX = WAIT_SECONDS + 40
PAUSE_SECONDS = 0.1

SCHEMA = """
create table if not exists record (
  path text primary key, resource text not null, version integer not null, told integer not null, record text not null);
create table if not exists place (
  -- Empty at the beginning of the feed.
  cursor text,
  -- Which beginning this is. What it has not told when it ends is gone.
  beginning integer not null, has_ended integer not null);
insert into place select null, 1, 0 where not exists (select 1 from place);
"""


class Interrupted(Exception):
    """The server is away, stopping or overloaded: the same is asked again, of another server."""


class Store:
    """Asks one server of the store after the other."""

    def __init__(self, addresses, key):
        self.addresses = addresses
        self.session = requests.Session()
        self.session.headers["X-Auth-Token"] = key
        self.asked = 0

    def get(self, path, params=None, headers=None, stream=False):
        address = self.addresses[self.asked % len(self.addresses)]
        timeout = (CONNECT_SECONDS_MAX, ANSWER_SECONDS_MAX)
        try:
            answer = self.session.get(address + path, params=params, headers=headers, timeout=timeout, stream=stream)
        except requests.RequestException as error:
            raise Interrupted(type(error).__name__) from error
        if answer.status_code == 503:
            time.sleep(min(float(answer.headers.get("Retry-After", 0)), WAIT_SECONDS))
            raise Interrupted(f"503 {answer.text}")
        return answer

    def next_server(self):
        self.asked += 1
        time.sleep(PAUSE_SECONDS)


class Follower:
    def __init__(self, file, store, begin, limit):
        self.copy = sqlite3.connect(file, isolation_level=None)
        self.copy.executescript(SCHEMA)
        self.store = store
        self.begin = begin
        self.limit = limit

    def follow(self, once):
        while True:
            try:
                if self.step(wait=0 if once else WAIT_SECONDS) and once:
                    return
            except Interrupted as reason:
                print(f"interrupted: {reason}", file=sys.stderr, flush=True)
                self.store.next_server()

    def step(self, wait):
        """Asks once. Returns whether that was all there is."""
        (cursor, beginning, has_ended) = self.copy.execute("select * from place").fetchone()
        if cursor is None and self.begin == "export":
            self.copy_by_export(beginning)
            return False
        params = [("resource[]", name) for name in COLLECTIONS]
        params += [("limit", self.limit), ("wait", wait), ("include", "record")]
        if cursor is not None:
            params.append(("after", cursor))
        answer = self.store.get("/api/changes", params)
        if answer.status_code == 410:
            print("the cursor is gone: the copy is made anew", file=sys.stderr, flush=True)
            self.copy.execute("update place set cursor = null, beginning = beginning + 1, has_ended = 0")
            return False
        entries = parsed(answer)
        is_all = len(entries) < self.limit
        with Transaction(self.copy):
            for entry in entries:
                self.apply(entry, beginning)
            if is_all and not has_ended:
                self.copy.execute("delete from record where told < ?", [beginning])
                self.copy.execute("update place set has_ended = 1")
            self.copy.execute("update place set cursor = ?", [answer.headers["Changes-Cursor"]])
        return is_all

    def apply(self, entry, beginning):
        if entry["action"] == "deleted" or entry["record"] is None:
            self.copy.execute("delete from record where path = ?", [entry["path"]])
        else:
            self.put(entry["path"], entry["resource"], entry["version"], beginning, entry["record"])

    def put(self, path, resource, version, told, record):
        row = [path, resource, version, told, json.dumps(record)]
        self.copy.execute("insert or replace into record values (?, ?, ?, ?, ?)", row)

    def copy_by_export(self, beginning):
        """The place first, then every collection: changes meanwhile are told again behind the place."""
        answer = self.store.get("/api/changes", {"after": "now"})
        parsed(answer)
        cursor = answer.headers["Changes-Cursor"]
        with Transaction(self.copy):
            for resource, (collection, identifier) in COLLECTIONS.items():
                for record in self.exported(f"/api/{collection}"):
                    path = f"/api/{collection}/{record[identifier]}"
                    self.put(path, resource, 0, beginning, record)
            self.copy.execute("delete from record where told < ?", [beginning])
            self.copy.execute("update place set has_ended = 1, cursor = ?", [cursor])

    def exported(self, path):
        answer = self.store.get(path, headers={"Accept": "application/x-ndjson"}, stream=True)
        if answer.status_code != 200:
            refuse(answer)
        count = 0
        try:
            # Of bytes: a name may hold U+2028, at which texts are split.
            for line in answer.iter_lines():
                count += 1
                yield json.loads(line)
        except (requests.RequestException, ValueError) as error:
            raise Interrupted(str(error)) from error
        if count != int(answer.headers["X-Total-Count"]):
            raise Interrupted(f"{path} was cut off after {count} lines")

    def printed(self):
        rows = self.copy.execute("select path, resource, record from record order by path")
        records = {path: (resource, json.loads(record)) for path, resource, record in rows}
        shown = {path: record for path, (_, record) in records.items()}
        for path, (resource, record) in records.items():
            yield path, {name: self.linked(resource, name, value, record, shown) for name, value in record.items()}

    def linked(self, resource, name, value, record, shown):
        """The field's value, with other records as they are now."""

        def as_now(collection, other):
            now = shown.get(f"/api/{collection}/{other['id']}")
            return now and {member: now[member] for member in other}

        collection = LINKS.get((resource, name))
        if collection is not None and isinstance(value, list):
            if value and isinstance(value[0], int):
                return [one for one in value if f"/api/{collection}/{one}" in shown]
            return [now for now in (as_now(collection, one) for one in value) if now]
        if collection is not None and value is not None:
            return as_now(collection, value)
        if (resource, name) == ("Category", "path"):
            return path_of(record, shown)
        if (resource, name) == ("Order", "items"):
            return [with_product(item, shown) for item in value]
        return value


class Transaction:
    """All or nothing; `sqlite3` would begin one only at the first change."""

    def __init__(self, connection):
        self.connection = connection

    def __enter__(self):
        self.connection.execute("begin immediate")

    def __exit__(self, kind, *_):
        self.connection.execute("commit" if kind is None else "rollback")


def parsed(answer):
    if answer.status_code != 200:
        refuse(answer)
    try:
        return answer.json()
    except ValueError as error:
        raise Interrupted(f"an answer was cut off: {error}") from error


def refuse(answer):
    """Asking again would not help."""
    sys.exit(f"{answer.url} is answered with {answer.status_code}: {answer.text}")


def path_of(category, shown):
    """The categories from the root down to this one."""
    path = []
    while category is not None:
        path.insert(0, {"id": category["id"], "name": category["name"]})
        category = shown.get(f"/api/categories/{category['parent']}")
    return path


def with_product(item, shown):
    """An item outlives its product."""
    if f"/api/products/{item['product_id']}" in shown:
        return item
    return {**item, "product_id": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copy", required=True, metavar="FILE", help="a SQLite file, made where there is none")
    parser.add_argument("addresses", nargs="*", help="the store's servers, such as http://127.0.0.1:8080")
    parser.add_argument("--begin", choices=["feed", "export"], default="feed", help="how the copy begins")
    parser.add_argument("--limit", type=int, default=1000, help="most entries of one answer")
    parser.add_argument("--once", action="store_true", help="ends when everything is told")
    parser.add_argument("--print", action="store_true", help="prints the copy and ends")
    options = parser.parse_args()
    store = Store(options.addresses, os.environ.get("KEY", ""))
    follower = Follower(options.copy, store, options.begin, options.limit)
    if options.print:
        for path, record in follower.printed():
            print(json.dumps([path, record]))
    else:
        follower.follow(options.once)


if __name__ == "__main__":
    main()
