"""Health: whether the process is alive, and whether it can serve."""

from server import shapes_beside
from server.http import Answer, Call, answer
from server.operations import PUBLIC, Operation, operation
from server.problems import Problem


@operation(Operation(method="GET", path="/health/live", needs=PUBLIC, tag="operations", answer=shapes_beside.Health))
async def live(request: Call) -> Answer:
    """The process answers."""
    del request
    return answer({"status": "live"})


@operation(
    Operation(
        method="GET",
        path="/health/ready",
        needs=PUBLIC,
        tag="operations",
        answer=shapes_beside.Health,
        problems=("unavailable",),
    )
)
async def ready(request: Call) -> Answer:
    """The log takes writes, what runs in the background runs, and the server is not stopping."""
    checks = request.services.checks()
    if not all(checks.values()):
        raise Problem("unavailable", "This server should get no requests now.", checks=checks)
    return answer({"status": "ready", "checks": checks})


HANDLERS = [live, ready]
