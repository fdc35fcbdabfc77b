// SPDX-License-Identifier: Apache-2.0
/// Facts of devices as metrics: one table says which fact is which metric, in Muster's names, in DCGM's and in those of
/// OpenTelemetry; [MetricsText] writes them for Prometheus.
@NullMarked
package dev.muster.monitor.metric;

import org.jspecify.annotations.NullMarked;
