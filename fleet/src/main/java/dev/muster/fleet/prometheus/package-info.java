// SPDX-License-Identifier: Apache-2.0
/// Hosts as a Prometheus server, or an exporter's page of metrics, tells of them.
@NullMarked
package dev.muster.fleet.prometheus;

import org.jspecify.annotations.NullMarked;
