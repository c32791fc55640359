"""What is different from run to run: all drawn from the seed, and printed with a run that fails."""

from msgspec import Struct, structs

from tests.simulation.chance import stream

#: The shares that are nothing when a run comes to its end.
FAULTS = (
    "store_full",
    "store_read_failed",
    "store_unknown",
    "write_again",
    "bus_lost",
    "bus_repeated",
    "crash_at_commit",
    "net_lost",
    "net_repeated",
    "half_open",
    "slow_clients",
)


class Options(Struct, frozen=True, kw_only=True):
    """How hard a run is. Shares are of all messages or calls; durations are virtual seconds."""

    seed: int
    nodes: int
    players: int
    games: int
    actions: int
    shuffle: bool
    # the database
    store_latency_s: float
    store_full: float
    store_read_failed: float
    store_unknown: float
    store_away_every_s: float
    write_again: float
    # the bus
    bus_lost: float
    bus_repeated: float
    bus_late_s: float
    bus_away_every_s: float
    # nodes
    crash_every_s: float
    crash_at_commit: float
    restart_s: float
    stop_gracefully: float
    clock_skew_s: float
    clock_jump_every_s: float
    clock_jump_s: float
    # clients and what is between
    net_latency_s: float
    net_lost: float
    net_repeated: float
    drop_every_s: float
    half_open: float
    slow_clients: float
    think_s: float
    clocks: float
    # settings of the server
    snapshot_events: int
    games_cached_max: int
    stream_batch_events: int
    feed_event_bytes_max: int
    queue_bytes_soft: int
    callers_cached_s: float
    # what tables are like
    delays: float
    together: float

    def told(self):
        """All of them, for people."""
        return " ".join(
            f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in structs.asdict(self).items()
        )

    def calm(self):
        """The same without faults: what is left must come to its end."""
        off = dict.fromkeys(FAULTS, 0.0)
        latest = {
            "store_latency_s": min(self.store_latency_s, 0.005),
            "net_latency_s": min(self.net_latency_s, 0.02),
            "bus_late_s": min(self.bus_late_s, 0.02),
        }
        return structs.replace(self, **off, **latest)


def drawn(seed, actions=None):
    """The options of a seed. Each kind of fault is absent from a good part of the runs."""
    chance = stream(seed, "options")

    def share(most, absent=0.35):
        return 0.0 if chance.random() < absent else chance.uniform(0, most)

    def every(least, most, absent=0.35):
        """A mean time between two, spread over orders of magnitude; 0: never."""
        return 0.0 if chance.random() < absent else least * (most / least) ** chance.random()

    return Options(
        seed=seed,
        nodes=chance.choice((2, 2, 3, 3, 4)),
        players=chance.randint(3, 6),
        games=chance.randint(2, 4),
        shuffle=chance.random() < 0.5,
        store_latency_s=every(0.0005, 0.02, absent=0),
        store_full=share(0.1),
        store_read_failed=share(0.01, absent=0.5),
        store_unknown=share(0.1),
        store_away_every_s=every(20, 200, absent=0.7),
        write_again=share(0.3),
        bus_lost=share(0.3),
        bus_repeated=share(0.5),
        bus_late_s=every(0.001, 2, absent=0),
        bus_away_every_s=every(10, 100, absent=0.6),
        crash_every_s=every(0.1, 10),
        crash_at_commit=share(0.05),
        restart_s=every(0.05, 5, absent=0),
        stop_gracefully=share(1.0),
        clock_skew_s=every(0.01, 60),
        clock_jump_every_s=every(1, 60),
        clock_jump_s=every(0.1, 10_000, absent=0),
        net_latency_s=every(0.0005, 0.1, absent=0),
        net_lost=share(0.1),
        net_repeated=share(0.3),
        drop_every_s=every(0.3, 30),
        half_open=share(0.5),
        slow_clients=share(0.3),
        think_s=every(0.01, 0.3, absent=0),
        clocks=share(1.0),
        snapshot_events=chance.choice((5, 20, 50, 1000)),
        games_cached_max=chance.choice((1, 2, 2000)),
        stream_batch_events=chance.choice((1, 3, 100)),
        feed_event_bytes_max=chance.choice((0, 2000, 4096, 100_000)),
        queue_bytes_soft=chance.choice((2_000, 20_000, 128 * 1024)),
        callers_cached_s=chance.choice((0.1, 5.0)),
        delays=share(1.0),
        together=share(0.3),
        actions=actions or chance.randint(150, 350),  # the last draw: with as many actions given, all else is the same
    )
