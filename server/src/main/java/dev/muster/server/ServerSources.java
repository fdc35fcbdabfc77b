// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricFamily;
import dev.muster.plan.Planner;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Where a server's documents come from. What a source gives is what the command of the same name prints.
///
/// @param sampler looks at the host; whoever started it closes it, after the server
/// @param topology how a registry's parts are joined, as a document
/// @param picture the same as SVG; empty where it cannot be drawn
/// @param planner the planner for a registry, with catalogues, prices and what was measured
/// @param alerts which rules hold of a registry, as a document
/// @param fleet the newest document of a fleet; empty where no source of one is configured
/// @param metrics metrics of probes, asked for each sample
/// @since 0.2
public record ServerSources(
        Sampler sampler,
        Function<AcceleratorRegistry, JsonValue> topology,
        Function<AcceleratorRegistry, Optional<String>> picture,
        Function<AcceleratorRegistry, Planner> planner,
        Function<AcceleratorRegistry, JsonValue> alerts,
        Optional<Supplier<JsonValue>> fleet,
        Supplier<List<MetricFamily>> metrics) {}
