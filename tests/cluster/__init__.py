"""The topology of deploy/compose.yaml as processes on loopback: nodes over PostgreSQL and Redis behind HAProxy."""
