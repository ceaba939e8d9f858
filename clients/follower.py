#!/usr/bin/env python3
"""Maintains a copy of a store in a SQLite file by the store's change feed. Written only from docs/contract/sync.md.

    KEY=... follower.py --copy copy.db http://127.0.0.1:8080 [another server of the same store ...]

The file has the table `record` (path, resource, record as JSON) and, updated in the same transactions, the cursor of the
feed. So the program can be killed at any time and started again. `--once` exits at the end of the feed. `--print` prints
the copy, one record per line, with linked records in their current state. It needs Python 3.9 and `requests`.
"""

import argparse
import json
import os
import sqlite3
import sys
import time

import requests

# The copied collections by their resource names in the feed: the path and the name of the identifier.
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

# Fields with other records. These records change without a feed entry for the record that contains them.
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
RESPONSE_SECONDS_MAX = WAIT_SECONDS + 40
PAUSE_SECONDS = 0.1

SCHEMA = """
create table if not exists record (
  path text primary key, resource text not null, version integer not null, pass integer not null, record text not null);
create table if not exists position (
  -- Null at the start of the feed.
  cursor text,
  -- The number of full reads of the feed. Records that a full read does not contain are deleted at its end.
  pass integer not null, is_complete integer not null);
insert into position select null, 1, 0 where not exists (select 1 from position);
"""


class Interrupted(Exception):
    """The server is away, stopping or overloaded: the request is retried on another server."""


class Store:
    """Sends requests to the servers of the store in turn."""

    def __init__(self, addresses, key):
        self.addresses = addresses
        self.session = requests.Session()
        self.session.headers["X-Auth-Token"] = key
        self.server = 0

    def get(self, path, params=None, headers=None, stream=False):
        address = self.addresses[self.server % len(self.addresses)]
        timeout = (CONNECT_SECONDS_MAX, RESPONSE_SECONDS_MAX)
        try:
            response = self.session.get(address + path, params=params, headers=headers, timeout=timeout, stream=stream)
        except requests.RequestException as error:
            raise Interrupted(type(error).__name__) from error
        if response.status_code == 503:
            time.sleep(min(float(response.headers.get("Retry-After", 0)), WAIT_SECONDS))
            raise Interrupted(f"503 {response.text}")
        return response

    def next_server(self):
        self.server += 1
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
        """Reads one page. Returns whether it was the last one."""
        (cursor, current_pass, is_complete) = self.copy.execute("select * from position").fetchone()
        if cursor is None and self.begin == "export":
            self.copy_by_export(current_pass)
            return False
        params = [("resource[]", name) for name in COLLECTIONS]
        params += [("limit", self.limit), ("wait", wait), ("include", "record")]
        if cursor is not None:
            params.append(("after", cursor))
        response = self.store.get("/api/changes", params)
        if response.status_code == 410:
            print("cursor expired: the copy is rebuilt", file=sys.stderr, flush=True)
            self.copy.execute("update position set cursor = null, pass = pass + 1, is_complete = 0")
            return False
        entries = parsed(response)
        is_last = len(entries) < self.limit
        with Transaction(self.copy):
            for entry in entries:
                self.apply(entry, current_pass)
            if is_last and not is_complete:
                self.copy.execute("delete from record where pass < ?", [current_pass])
                self.copy.execute("update position set is_complete = 1")
            self.copy.execute("update position set cursor = ?", [response.headers["Changes-Cursor"]])
        return is_last

    def apply(self, entry, current_pass):
        if entry["action"] == "deleted" or entry["record"] is None:
            self.copy.execute("delete from record where path = ?", [entry["path"]])
        else:
            self.put(entry["path"], entry["resource"], entry["version"], current_pass, entry["record"])

    def put(self, path, resource, version, current_pass, record):
        row = [path, resource, version, current_pass, json.dumps(record)]
        self.copy.execute("insert or replace into record values (?, ?, ?, ?, ?)", row)

    def copy_by_export(self, current_pass):
        """Reads the cursor first, then every collection, so that the feed repeats all changes during the export."""
        response = self.store.get("/api/changes", {"after": "now"})
        parsed(response)
        cursor = response.headers["Changes-Cursor"]
        with Transaction(self.copy):
            for resource, (collection, identifier) in COLLECTIONS.items():
                for record in self.exported(f"/api/{collection}"):
                    path = f"/api/{collection}/{record[identifier]}"
                    self.put(path, resource, 0, current_pass, record)
            self.copy.execute("delete from record where pass < ?", [current_pass])
            self.copy.execute("update position set is_complete = 1, cursor = ?", [cursor])

    def exported(self, path):
        response = self.store.get(path, headers={"Accept": "application/x-ndjson"}, stream=True)
        if response.status_code != 200:
            fail(response)
        count = 0
        try:
            # Lines of bytes, because str.splitlines would also split at U+2028.
            for line in response.iter_lines():
                count += 1
                yield json.loads(line)
        except (requests.RequestException, ValueError) as error:
            raise Interrupted(str(error)) from error
        if count != int(response.headers["X-Total-Count"]):
            raise Interrupted(f"{path} was cut off after {count} lines")

    def printed(self):
        rows = self.copy.execute("select path, resource, record from record order by path")
        records = {path: (resource, json.loads(record)) for path, resource, record in rows}
        shown = {path: record for path, (_, record) in records.items()}
        for path, (resource, record) in records.items():
            yield path, {name: self.linked(resource, name, value, record, shown) for name, value in record.items()}

    def linked(self, resource, name, value, record, shown):
        """Returns the value of a field with linked records in their current state."""

        def current(collection, other):
            record = shown.get(f"/api/{collection}/{other['id']}")
            return record and {member: record[member] for member in other}

        collection = LINKS.get((resource, name))
        if collection is not None and isinstance(value, list):
            if value and isinstance(value[0], int):
                return [one for one in value if f"/api/{collection}/{one}" in shown]
            return [record for record in (current(collection, one) for one in value) if record]
        if collection is not None and value is not None:
            return current(collection, value)
        if (resource, name) == ("Category", "path"):
            return path_of(record, shown)
        if (resource, name) == ("Order", "items"):
            return [with_product(item, shown) for item in value]
        return value


class Transaction:
    """A transaction that begins at once; `sqlite3` would begin it at the first change."""

    def __init__(self, connection):
        self.connection = connection

    def __enter__(self):
        self.connection.execute("begin immediate")

    def __exit__(self, kind, *_):
        self.connection.execute("commit" if kind is None else "rollback")


def parsed(response):
    if response.status_code != 200:
        fail(response)
    try:
        return response.json()
    except ValueError as error:
        raise Interrupted(f"a response was cut off: {error}") from error


def fail(response):
    """Exits, because a retry would not help."""
    sys.exit(f"{response.url} returned {response.status_code}: {response.text}")


def path_of(category, shown):
    """Returns the categories from the root to this one."""
    path = []
    while category is not None:
        path.insert(0, {"id": category["id"], "name": category["name"]})
        category = shown.get(f"/api/categories/{category['parent']}")
    return path


def with_product(item, shown):
    """Returns an item with the link to its product, or without it if the product is deleted."""
    if f"/api/products/{item['product_id']}" in shown:
        return item
    return {**item, "product_id": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copy", required=True, metavar="FILE", help="SQLite file, created if missing")
    parser.add_argument("addresses", nargs="*", help="servers of the store, for example http://127.0.0.1:8080")
    parser.add_argument("--begin", choices=["feed", "export"], default="feed", help="source of the initial copy")
    parser.add_argument("--limit", type=int, default=1000, help="maximum entries per page")
    parser.add_argument("--once", action="store_true", help="exit at the end of the feed")
    parser.add_argument("--print", action="store_true", help="print the copy and exit")
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
