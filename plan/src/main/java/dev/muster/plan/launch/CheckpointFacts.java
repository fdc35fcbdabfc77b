// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.WeightParts;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The launch facts of a plan's checkpoint: the repository that holds the planned weights, or else the way to them.
final class CheckpointFacts {
    private static final String TABLE = "checkpoints.csv";
    private static final double GIB = 1L << 30;
    private static final Set<StandardFormat> WHOLE =
            EnumSet.of(StandardFormat.FP32, StandardFormat.BF16, StandardFormat.FP16);
    private static final Set<StandardFormat> EIGHT = EnumSet.of(StandardFormat.FP8, StandardFormat.FP8_BLOCK);

    /// The origin of the planned weights.
    private enum Origin {
        /// Published in 16 or 32 bits, as planned.
        WHOLE,
        /// Published quantized, as planned.
        QUANTIZED,
        /// Made by the engine of a published 16-bit checkpoint while it loads.
        MADE,
        /// A checkpoint that the user of the launch has to name.
        GIVEN
    }

    private CheckpointFacts() {}

    /// Adds the origin of the weights, and the repository if it is another than the model's own.
    ///
    /// @param capacity memory for programs on a device
    static LaunchFacts add(
            LaunchFacts facts,
            ServingRequest request,
            ServingEngine engine,
            EngineRules rules,
            Parallelism layout,
            double capacity) {
        ModelArchitecture architecture = request.architecture();
        WeightFormat format = request.format();
        boolean isQuantized = architecture.quantization().isKnown();
        if (format instanceof GgufFormat || isPublished(format, architecture)) {
            return with(facts, isQuantized ? Origin.QUANTIZED : Origin.WHOLE);
        }
        Optional<String> repository = findRepository(request, engine);
        if (repository.isPresent()) {
            return with(facts, Origin.QUANTIZED)
                    .with(LaunchFact.BASE, request.model().source())
                    .with(LaunchFact.MODEL, repository.get());
        }
        if (isQuantized || !rules.makes()) {
            return with(facts, Origin.GIVEN);
        }
        double first = rules.loadsFirst()
                ? StoredWeights.of(architecture, StandardFormat.BF16)
                        .find()
                        .map(weights -> WeightParts.of(weights).heldBy(layout))
                        .orElse(0.0)
                : 0;
        return first > capacity
                ? with(facts, Origin.GIVEN).with(LaunchFact.LOAD_EACH, String.format(Locale.ROOT, "%.1f", first / GIB))
                : with(facts, Origin.MADE);
    }

    private static LaunchFacts with(LaunchFacts facts, Origin origin) {
        return facts.with(LaunchFact.CHECKPOINT, origin.name().toLowerCase(Locale.ROOT));
    }

    /// Reports whether the model's own repository has weights of a format. Scales of fp8 are as the repository has
    /// them; a quantization that cannot be counted is planned as 16 bits.
    private static boolean isPublished(WeightFormat format, ModelArchitecture architecture) {
        return WeightFormat.findPublished(architecture)
                .map(published -> published.equals(format)
                        || (format instanceof StandardFormat one
                                && published instanceof StandardFormat other
                                && EIGHT.contains(one)
                                && EIGHT.contains(other)))
                .orElse(format instanceof StandardFormat standard && WHOLE.contains(standard));
    }

    /// Returns the repository that publishes a model of the catalogue in a format that the engine reads.
    private static Optional<String> findRepository(ServingRequest request, ServingEngine engine) {
        for (CsvRow row : CsvTable.parse(LaunchTemplate.resource(TABLE)).rows()) {
            if (row.require("base").equals(request.model().source())
                    && row.require("format").equals(request.format().label())
                    && (" " + row.find("engines").orElse(engine.label()) + " ").contains(" " + engine.label() + " ")) {
                return row.find("repository");
            }
        }
        return Optional.empty();
    }
}
