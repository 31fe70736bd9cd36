#!/usr/bin/env python3
"""Measures shared groups in PostgreSQL beside `pgbench`, and beside rows that are read by hand, on one server in one run.

    Scripts/measure_postgres.py PROGRAM [--rows COUNT] [--json FILE] [--many]

PROGRAM is `flask-sharing` of Benchmarks, built for release. With --many, ten processes open the group, too.
"""

import argparse
import json
import re
import subprocess
import tempfile
import time

from postgres_server import PostgresServer

SECONDS = 5


def fill(server, rows):
    server.client("psql", "-q", "postgres", "-c", f"""
        CREATE TABLE hand (id int PRIMARY KEY, body json NOT NULL) WITH (fillfactor = 85);
        INSERT INTO hand SELECT n, json_build_object('edits', 0, 'id', n, 'title', 'the title of row ' || n)
        FROM generate_series(0, {rows - 1}) n;""")


def pgbench(server, folder, rows, clients):
    """Single-row updates a second, as a program writes them by hand."""
    path = f"{folder}/update.sql"
    with open(path, "w") as file:
        file.write(f"\\set id random(0, {rows - 1})\n"
                   "UPDATE hand SET body = json_build_object('edits', :client_id::int, 'id', :id::int, 'title', 'the title of row ' || :id::int) WHERE id = :id::int;\n")
    output = server.client("pgbench", "-n", "-M", "prepared", "-f", path, "-c", str(clients), "-j", "2", "-T", str(SECONDS), "postgres")
    return float(re.search(r"tps = ([\d.]+)", output)[1])


def opening_by_hand(program, server, folder):
    """Milliseconds to read all rows, by psql, and to decode them, by `JSONDecoder`."""
    begin = time.monotonic()
    output = server.client("psql", "-qAtX", "postgres", "-c", "SELECT body FROM hand ORDER BY id")
    reading = (time.monotonic() - begin) * 1000
    path = f"{folder}/rows.json"
    with open(path, "w") as file:
        file.write(output)
    return reading + float(subprocess.run([program, "--decode", path], check=True, stdout=subprocess.PIPE, text=True).stdout)


def many(program, server, rows):
    """Ten processes with the group: opening and memory of each, and what a change costs all of them."""
    command = [program, "--rows", str(rows), "--postgres", server.url, "--watch", "20"]
    watchers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(10)]
    opened = [watcher.stdout.readline().split() for watcher in watchers]
    # Meanwhile one changes rows, for about ten seconds.
    subprocess.run([program, "--rows", str(rows), "--postgres", server.url], stdout=subprocess.DEVNULL, check=False, timeout=60)
    watched = [watcher.stdout.readline().split() for watcher in watchers]
    for watcher in watchers:
        watcher.wait()
    processor, commits = sum(float(line[1]) for line in watched), max(int(line[2]) for line in watched)
    return {
        "ten processes: opening, the slowest, ms": max(float(line[1]) for line in opened),
        "ten processes: memory of each, at most, MB": max(float(line[3]) for line in watched),
        "ten processes: processor of all of them for one commit of another, µs": processor * 1000 / max(1, commits),
        "commits that were watched": commits,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--json")
    parser.add_argument("--many", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="flask-figures-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(folder)
        try:
            fill(server, arguments.rows)
            hand = {clients: [pgbench(server, folder, arguments.rows, clients)] for clients in (32, 1)}
            with tempfile.NamedTemporaryFile(suffix=".json") as file:
                subprocess.run([arguments.program, "--rows", str(arguments.rows), "--postgres", server.url, "--json", file.name],
                               check=True, stdout=subprocess.DEVNULL)
                rows = {row["name"]: row for row in json.load(open(file.name))["results"]}
            for clients, found in hand.items():
                found.append(pgbench(server, folder, arguments.rows, clients))
                rows[f"acknowledgements a second, {clients} handlers"]["byHand"] = max(found)
            rows["transactions a second, 32 groups"]["byHand"] = max(hand[32])
            rows["a durable change: median, µs"]["byHand"] = 1e6 / max(hand[1])
            rows["opening: median, ms"]["byHand"] = sorted(
                opening_by_hand(arguments.program, server, folder) for _ in range(3))[1]
            if arguments.many:
                for name, figure in many(arguments.program, server, arguments.rows).items():
                    rows[name] = {"name": name, "flask": figure, "byHand": 0}
        finally:
            server.stop()
    print(f"| {arguments.rows} rows in PostgreSQL | Flask | by hand |\n|---|---:|---:|")
    for row in rows.values():
        print(f"| {row['name']} | {row['flask']:.1f} | {row['byHand']:.1f} |")
    if arguments.json:
        json.dump({"results": list(rows.values())}, open(arguments.json, "w"))


main()
