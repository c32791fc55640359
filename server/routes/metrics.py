"""Metrics: the figures of this server, for Prometheus and for operators alone."""

from server.access import ADMIN
from server.gauges import read_gauges
from server.http import Answer, Call
from server.metrics import MEDIA_TYPE
from server.operations import Operation, operation

METRICS_TAG = "metrics"


@operation(Operation(method="GET", path="/metrics", needs=ADMIN, tag=METRICS_TAG, media=("text/plain",)))
async def metrics(request: Call) -> Answer:
    """All figures in the text format of Prometheus. A setting opens it to whoever can reach it."""
    services = request.services
    await read_gauges(services)
    return Answer(services.metrics.render(), media=MEDIA_TYPE)


HANDLERS = [metrics]
