"""Prometheus metrics, for the operator: on a port of their own (`--metrics-port`), which is not public."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from veillee.house import background
from veillee.house.errors import BadRequest, CannotListen
from veillee.house.house import House
from veillee.web.http.rate_limits import RateLimiter
from veillee.web.http.traffic import DURATION_BOUNDS_SECONDS, Traffic
from veillee.web.rendering.templates import t
from veillee.web.serving.connections import Connections

if TYPE_CHECKING:
    from prometheus_client.core import Metric


class PrometheusCollector:
    """Prometheus collector: makes the metrics at each scrape."""

    def __init__(self, house: House, traffic: Traffic, meter: RateLimiter, connections: Connections) -> None:
        self.house = house
        self.traffic = traffic
        self.meter = meter
        self.connections = connections
        self.began = time.time()

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.core import (  # noqa: PLC0415 - an extra
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
        )

        answers = CounterMetricFamily("veillee_requests", "Requests answered.", labels=["method", "address", "status"])
        for (method, pattern, status), number in list(self.traffic.answers.items()):
            answers.add_metric([method, pattern, str(status)], number)
        yield answers
        buckets, sofar = [], 0
        for bound, number in zip([*map(str, DURATION_BOUNDS_SECONDS), "+Inf"], self.traffic.seconds, strict=True):
            sofar += number
            buckets.append((bound, sofar))
        yield HistogramMetricFamily(
            "veillee_request_seconds", "Time to answer, streams left out.", buckets, self.traffic.total
        )
        turned = CounterMetricFamily("veillee_turned_away", "Requests beyond a limit.", labels=["limit"])
        for limit, number in list(self.meter.refused_count.items()):
            turned.add_metric([limit], number)
        turned.add_metric(["connections"], self.connections.turned_away)
        turned.add_metric(["slow"], self.connections.cut)
        yield turned
        yield GaugeMetricFamily("veillee_streams", "Streams that are open.", self.meter.open_count["streams"])
        yield GaugeMetricFamily("veillee_connections", "Connections that are open.", len(self.connections))
        thoughts = GaugeMetricFamily(
            "veillee_waiting_thoughts", "Questions that wait to be thought about.", labels=["for"]
        )
        for whom, number in self.house.thinkers.count_waiting().items():
            thoughts.add_metric([whom], number)
        yield thoughts
        up = GaugeMetricFamily("veillee_thread_up", "Whether a background thread works.", labels=["thread"])
        failed = CounterMetricFamily("veillee_thread_errors", "Errors of a background thread.", labels=["thread"])
        restarted = CounterMetricFamily(
            "veillee_thread_restarts", "Background threads that ended or hung and were replaced.", labels=["thread"]
        )
        for thread in background.running_threads():
            up.add_metric([thread.name], 0 if thread.trouble else 1)
            failed.add_metric([thread.name], thread.errors)
            restarted.add_metric([thread.name], thread.restarts)
        yield from (up, failed, restarted)
        yield GaugeMetricFamily("veillee_started", "When the house was opened, in seconds since 1970.", self.began)


def start_metrics_server(figures: PrometheusCollector, host: str, port: int) -> Any:
    """Serves the metrics on a port of their own and returns that server. Raises BadRequest (the extra is not
    installed), CannotListen."""
    try:
        from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadRequest(t("Figures for Prometheus need one more package: pip install veillee[metrics].")) from None
    registry = CollectorRegistry()
    registry.register(figures)
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotListen(
            t(
                "Cannot listen on {host} port {port}: {reason}. Choose another with --port.",
                host=host,
                port=port,
                reason=reason,
            )
        ) from None
    return server
