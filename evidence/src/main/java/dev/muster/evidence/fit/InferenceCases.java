// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.core.Reading;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import java.util.Optional;

/// Rows of inference.
final class InferenceCases {
    /// Submissions of users are rounded and say little of how they were made.
    private static final double COMMUNITY_WEIGHT = 0.4;

    private InferenceCases() {}

    static void add(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        if (row.text("note").startsWith("suspect")) {
            cases.doubt(id, "the source itself is doubtful: " + row.text("note"));
            return;
        }
        if (!LlamaCppCases.has(row)
                && !TransformersCases.has(row)
                && ServingEngine.find(row.text("engine")).isEmpty()) {
            cases.refuse(id, "no step model for the engine '" + row.text("engine") + "'");
            return;
        }
        Optional<DeviceFigures> device = cases.findDevice(row);
        if (device.isEmpty()) {
            return;
        }
        boolean community = row.text("provenance").equals("community");
        findModel(row, cases).ifPresent(model -> {
            MeasuredCase one = new MeasuredCase(
                    id,
                    row.text("group_id"),
                    measuredClass(row),
                    LlamaCppCases.has(row) ? "llama.cpp" : row.text("engine"),
                    row.number("value"),
                    isHeld(row) ? 0 : community ? COMMUNITY_WEIGHT : 1,
                    prediction(row, model.shape(), model.parts(), device.get()));
            if (LlamaCppCases.has(row)) {
                cases.addOfGroup(LlamaCppCases.isRandom(row) ? "llama.cpp with random weights" : "llama.cpp", one);
            } else if (isBatchOfServer(row)) {
                cases.addOfGroup("batches of " + EngineCases.staticEngine(row, device.get()), one);
            } else {
                cases.add(one);
            }
        });
    }

    /// A model with weights of a format.
    record KnownWeights(ModelShape shape, WeightParts parts) {}

    /// Returns the model and the weights of a row, which is refused if they are unknown.
    static Optional<KnownWeights> findModel(TruthRow row, MeasuredCases.Builder cases) {
        Optional<ModelArchitecture> model =
                cases.models().find(row.text("model")).map(ModelEntry::architecture);
        Optional<ModelShape> shape = model.flatMap(ModelShape::of);
        if (model.isEmpty() || shape.isEmpty()) {
            cases.refuseModel(row);
            return Optional.empty();
        }
        if (WeightFormat.find(row.text("weight_dtype")).isEmpty()) {
            cases.refuse(row.id(), "the weight format '" + row.text("weight_dtype") + "' is unknown");
            return Optional.empty();
        }
        Reading<StoredWeights> weights = StoredWeights.of(model.get(), weightFormat(row));
        if (weights.find().isEmpty()) {
            cases.refuse(
                    row.id(),
                    "the weights of '" + row.text("model") + "' as " + row.text("weight_dtype") + " are not known");
            return Optional.empty();
        }
        WeightParts parts = WeightParts.of(weights.find().get());
        return Optional.of(new KnownWeights(
                shape.get(), row.text("mix").equals("uniform") ? parts.withBits(parts.attention()) : parts));
    }

    /// Returns the weight format of a row; llama.cpp keeps all weights but experts in eight bits, others in sixteen.
    static WeightFormat weightFormat(TruthRow row) {
        boolean mixed = LlamaCppCases.has(row) && row.text("weight_dtype").equals("mxfp4");
        return WeightFormat.parse(mixed ? "mxfp4_moe" : row.text("weight_dtype"));
    }

    private static boolean isBatchOfServer(TruthRow row) {
        return row.text("load").equals("static_batch")
                && ServingEngine.find(row.text("engine"))
                        .filter(ServingEngine::isContinuous)
                        .isPresent();
    }

    /// Reports whether a row is predicted, never fitted.
    private static boolean isHeld(TruthRow row) {
        return row.text("held").equals("yes") || LlamaCppCases.isServed(row);
    }

    private static MeasuredClass measuredClass(TruthRow row) {
        if (LlamaCppCases.isRandom(row)) {
            return LlamaCppCases.isServed(row)
                    ? MeasuredClass.H200_LLAMA_SERVER
                    : row.text("metric").equals("prefill_tok_s")
                            ? MeasuredClass.H200_LLAMA_PREFILL
                            : MeasuredClass.H200_LLAMA_DECODE;
        }
        return switch (row.text("metric")) {
            case "prefill_tok_s" -> MeasuredClass.PREFILL;
            case "ttft_ms" -> MeasuredClass.TIME_TO_FIRST_TOKEN;
            case "tpot_ms" -> MeasuredClass.TIME_PER_TOKEN;
            default ->
                switch (row.text("load")) {
                    case "offline_max" -> MeasuredClass.OFFLINE_THROUGHPUT;
                    case "static_batch" -> MeasuredClass.STATIC_BATCH;
                    default -> MeasuredClass.SINGLE_STREAM_DECODE;
                };
        };
    }

    private static MeasuredCase.Prediction prediction(
            TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        if (LlamaCppCases.has(row)) {
            return LlamaCppCases.of(row, shape, weights, device);
        }
        if (TransformersCases.has(row)) {
            return TransformersCases.of(row, shape, weights, device);
        }
        return row.text("load").equals("offline_max")
                ? EngineCases.offline(row, shape, weights, device)
                : EngineCases.ofBatches(row, shape, weights, device);
    }
}
