"""`make cluster`: nodes, PostgreSQL, Redis and a proxy on this machine, until it is interrupted. Nothing is kept."""

import argparse
import signal
import sys
import tempfile
import threading
from pathlib import Path

from tests import services
from tests.cluster.cluster import Cluster


def main() -> None:
    """Start what the arguments say, tell the address, and wait."""
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__)
    parser.add_argument("--nodes", type=int, default=2, help="how many nodes (default 2)")
    parser.add_argument("--port", type=int, default=8000, help="the proxy's port (default 8000)")
    given = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    print("turnlog: starting PostgreSQL and Redis", flush=True)
    with (
        services.postgres() as server,
        services.redis() as redis,
        tempfile.TemporaryDirectory() as folder,
        services.Databases(server).one() as dsn,
    ):
        print(f"turnlog: starting {given.nodes} nodes", flush=True)
        with Cluster(Path(folder), given.nodes, dsn, redis, port=given.port) as cluster:
            print(f"turnlog: {cluster.address}/ (the proxy)", flush=True)
            for number, node in enumerate(cluster.nodes, 1):
                pid = node.process.pid if node.process is not None else 0
                print(f"turnlog: node {number}: {node.address}/ (process {pid})", flush=True)
            print(f"turnlog: PostgreSQL: {dsn}\nturnlog: Redis: {redis}\nturnlog: Ctrl-C ends all", flush=True)
            threading.Event().wait()


if __name__ == "__main__":
    main()
