"""The figures of a server, in the text format of Prometheus: one table says what there is."""

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from platform import python_version
from typing import Final

from msgspec import Struct
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    Info,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from server.meter import Meter

#: What `Metrics.render` gives.
MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

disable_created_metrics()  # type: ignore[no-untyped-call]  # the time at which each figure began: twice the text for nothing

COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_NUMBERS: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 4096.0, 16384.0)


class Metric(Struct, frozen=True):
    """A figure: its name with its unit last, what it tells, and its labels, none of which a client can invent.

    begins: labels of series of a counter that are told before anything was counted, as 0. An alert on a counter with
    labels needs them: Prometheus sees no increase in what comes into being as 1.
    """

    name: str
    kind: str
    tells: str
    labels: tuple[str, ...] = ()
    begins: tuple[tuple[str, ...], ...] = ()


#: How a gauge stands, by the values of its labels.
Samples = Mapping[tuple[str, ...], float]


#: Every figure. Labels are names of ours (routes, codes, settings), never ids.
METRICS: Final = (
    Metric("turnlog_http_requests_total", COUNTER, "Requests answered.", ("method", "route", "status")),
    Metric("turnlog_http_request_duration_seconds", HISTOGRAM, "From a request to its answer.", ("method", "route")),
    Metric(
        "turnlog_problems_total",
        COUNTER,
        "Problems told to clients.",
        ("code", "channel"),
        begins=(("internal", "http"), ("internal", "stream")),
    ),
    Metric("turnlog_commands_overtaken_total", COUNTER, "Commands decided again because another node was faster."),
    Metric("turnlog_refusals_total", COUNTER, "Actions that the rules refused.", ("code", "reason")),
    Metric("turnlog_rate_limited_total", COUNTER, "Requests and messages beyond a rate.", ("budget", "by")),
    Metric("turnlog_stream_sockets", GAUGE, "Open sockets."),
    Metric("turnlog_stream_games", GAUGE, "Games that some socket follows."),
    Metric("turnlog_stream_subscriptions", GAUGE, "Subscriptions of all sockets."),
    Metric(
        "turnlog_stream_queue_bytes", GAUGE, "Messages that wait for clients to read, beyond what the system takes."
    ),
    Metric("turnlog_stream_messages_received_total", COUNTER, "Messages of clients.", ("type",)),
    Metric("turnlog_stream_messages_sent_total", COUNTER, "Messages to clients.", ("type",)),
    Metric("turnlog_stream_resume_gap_events", HISTOGRAM, "Events that a resuming client had missed."),
    Metric("turnlog_stream_skips_total", COUNTER, "Times a slow client was given the newest view instead of events."),
    Metric("turnlog_stream_skipped_events_total", COUNTER, "Events left out for slow clients."),
    Metric("turnlog_stream_closes_total", COUNTER, "Sockets closed by the server.", ("code",)),
    Metric("turnlog_stream_fanout_duration_seconds", HISTOGRAM, "From a commit to all its messages given to sockets."),
    Metric("turnlog_append_duration_seconds", HISTOGRAM, "From a command's events being made to their being durable."),
    Metric("turnlog_commit_duration_seconds", HISTOGRAM, "Transactions of the database."),
    Metric("turnlog_commit_batch_writes", HISTOGRAM, "Writes that shared a transaction."),
    Metric("turnlog_commit_queue_writes", GAUGE, "Writes that wait to be committed, appends among them."),
    Metric("turnlog_games", GAUGE, "Games in the lobby that are not over.", ("status",)),
    Metric("turnlog_games_cached", GAUGE, "Games in memory."),
    Metric("turnlog_bot_queue_games", GAUGE, "Games in which one of the server's players may owe an answer."),
    Metric("turnlog_searches_running", GAUGE, "Games that are being searched."),
    Metric(
        "turnlog_settled_total",
        COUNTER,
        "Events that time or agreements brought: time-outs and what else was due.",
        ("kind",),
    ),
    Metric("turnlog_searches_total", COUNTER, "Searches of the server's players.", ("result",)),
    Metric("turnlog_search_duration_seconds", HISTOGRAM, "Searches, with the wait for a process."),
    Metric(
        "turnlog_projection_lag_events", GAUGE, "Events of the log that a read model has not taken.", ("projection",)
    ),
    Metric("turnlog_replay_checks_total", COUNTER, "Games folded and decided anew by the audit.", ("result",)),
    Metric(
        "turnlog_replay_mismatches_total",
        COUNTER,
        "What the audit found to be different.",
        ("part",),
        begins=(("log",), ("live",), ("snapshot",)),
    ),
    Metric("turnlog_replay_check_duration_seconds", HISTOGRAM, "Audits of a game."),
    Metric("turnlog_replay_queue_games", GAUGE, "Games that wait to be audited."),
    Metric("turnlog_signed_head_events", GAUGE, "Events that the latest signed head reaches to."),
    Metric("turnlog_head_faults_total", COUNTER, "Times the log was not the one whose heads were signed."),
    Metric("turnlog_redis_up", GAUGE, "Whether Redis answered last (1 without one)."),
    Metric(
        "turnlog_redis_done_without_total",
        COUNTER,
        "What was done without Redis, as it was away.",
        ("what",),
        begins=(("limits",), ("lease",), ("ticket",)),
    ),
    Metric("turnlog_feed_connected", GAUGE, "Whether moves of other nodes come by Redis (1 without one)."),
    Metric("turnlog_feed_behind_events", GAUGE, "Events of other nodes that this one knows of and was not told."),
    Metric("turnlog_feed_sent_total", COUNTER, "Moves sent to other nodes."),
    Metric("turnlog_feed_received_total", COUNTER, "Moves received from other nodes."),
    Metric(
        "turnlog_feed_lost_total", COUNTER, "Messages to other nodes that Redis did not take, or that were too many."
    ),
    Metric("turnlog_feed_caught_up_total", COUNTER, "Events found in the log, as no message told of them in time."),
    Metric("turnlog_feed_lag_seconds", HISTOGRAM, "From sending a message to having it back by way of Redis."),
    Metric("turnlog_tasks", GAUGE, "Tasks of the process: three a socket, and those of the server."),
    Metric("turnlog_ready", GAUGE, "Whether a check of /health/ready holds.", ("check",)),
)


class Gauges(Collector):
    """How things stand; of a gauge that nobody has set, or of which nothing is known any more, there is no sample."""

    def __init__(self) -> None:
        self.samples: dict[str, dict[tuple[str, ...], float]] = {
            metric.name: {} for metric in METRICS if metric.kind == GAUGE
        }

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """As Collector has it."""
        for metric in METRICS:
            if metric.kind == GAUGE:
                family = GaugeMetricFamily(metric.name, metric.tells, labels=metric.labels)
                for labels, value in self.samples[metric.name].items():
                    family.add_metric(labels, value)
                yield family


class Metrics(Meter):
    """The figures of one server; several in one process do not mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._counters: dict[str, Counter] = {}
        self._gauges = Gauges()
        self._histograms: dict[str, Histogram] = {}
        #: Figures with their labels, looked up once: no client can invent a label, so there are few.
        self._counted: dict[tuple[str, ...], Counter] = {}
        self._observed: dict[tuple[str, ...], Histogram] = {}
        for metric in METRICS:
            self._add(metric)
        self._registry.register(self._gauges)
        build = Info("turnlog_build", "What runs here.", registry=self._registry)
        build.info({"version": version("turnlog"), "python": python_version()})
        ProcessCollector(registry=self._registry)

    def _add(self, metric: Metric) -> None:
        name, tells, labels = metric.name, metric.tells, metric.labels
        if metric.kind == COUNTER:
            self._counters[name] = Counter(name, tells, labels, registry=self._registry)
            for series in metric.begins:
                self.count(name, *series, by=0)
        elif metric.kind == HISTOGRAM:
            buckets = _SECONDS if name.endswith("_seconds") else _NUMBERS
            self._histograms[name] = Histogram(name, tells, labels, registry=self._registry, buckets=buckets)

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """As Meter has it."""
        counter = self._counted.get((name, *labels))
        if counter is None:
            counter = self._counters[name]
            counter = self._counted[name, *labels] = counter.labels(*labels) if labels else counter
        counter.inc(by)

    def observe(self, name: str, value: float, *labels: str) -> None:
        """As Meter has it."""
        histogram = self._observed.get((name, *labels))
        if histogram is None:
            histogram = self._histograms[name]
            histogram = self._observed[name, *labels] = histogram.labels(*labels) if labels else histogram
        histogram.observe(value)

    def state(self, name: str, value: float, *labels: str) -> None:
        """A gauge stands at this value."""
        self._gauges.samples[name][labels] = value

    def states(self, name: str, samples: Samples) -> None:
        """A gauge stands at these values and at no others."""
        self._gauges.samples[name] = dict(samples)

    def value(self, sample: str, labels: Mapping[str, str] | None = None) -> float:
        """The value of a sample by its full name; 0 if there is none."""
        return self._registry.get_sample_value(sample, dict(labels or {})) or 0.0

    def render(self) -> bytes:
        """All figures as text."""
        return generate_latest(self._registry)
