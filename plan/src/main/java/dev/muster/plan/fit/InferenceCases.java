package dev.muster.plan.fit;

import dev.muster.core.Reading;
import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.tensor.StoredWeights;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import java.util.Optional;
import java.util.Set;

/// Rows of inference.
final class InferenceCases {
    private static final Set<String> LLAMA_CPP = Set.of("llama.cpp", "ollama", "lmstudio");
    /// Submissions of users are rounded and say little of how they were made.
    private static final double COMMUNITY_WEIGHT = 0.4;

    private InferenceCases() {}

    static void add(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        if (row.text("note").startsWith("suspect")) {
            cases.doubt(id, "the source itself is doubted: " + row.text("note"));
            return;
        }
        Optional<DeviceEntry> device = cases.devices().find(row.text("device"));
        if (device.isEmpty()) {
            cases.refuse(id, "nobody knows device '" + row.text("device") + "'");
            return;
        }
        Optional<KnownModel> model = KnownModel.find(row, cases.models());
        Optional<ModelShape> shape = model.flatMap(known -> ModelShape.of(known.architecture()));
        if (model.isEmpty() || shape.isEmpty()) {
            cases.refuse(id, "nobody knows model '" + row.text("model") + "'");
            return;
        }
        if (WeightFormat.find(row.text("weight_dtype")).isEmpty()) {
            cases.refuse(id, "the weight format '" + row.text("weight_dtype") + "' is unknown");
            return;
        }
        Reading<StoredWeights> weights = StoredWeights.of(model.get().architecture(), weightFormat(row));
        if (weights.find().isEmpty()) {
            cases.refuse(
                    id, "the weights of '" + row.text("model") + "' as " + row.text("weight_dtype") + " are not known");
            return;
        }
        WeightParts parts =
                WeightParts.of(weights.find().get()).times(model.get().scale());
        boolean community = row.text("provenance").equals("community");
        cases.add(new MeasuredCase(
                id,
                row.text("group_id"),
                measuredClass(row),
                row.number("value"),
                community ? COMMUNITY_WEIGHT : 1,
                prediction(row, shape.get(), parts, DeviceFigures.of(device.get()))));
    }

    /// llama.cpp keeps what is no expert in eight bits where others keep sixteen.
    static WeightFormat weightFormat(TruthRow row) {
        boolean mixed = isLlamaCpp(row) && row.text("weight_dtype").equals("mxfp4");
        return WeightFormat.parse(mixed ? "mxfp4_moe" : row.text("weight_dtype"));
    }

    private static boolean isLlamaCpp(TruthRow row) {
        return LLAMA_CPP.contains(row.text("engine"));
    }

    private static MeasuredClass measuredClass(TruthRow row) {
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
        if (isLlamaCpp(row)) {
            return LlamaCppCases.prediction(row, shape, weights, device);
        }
        return row.text("load").equals("offline_max")
                ? OfflineCases.prediction(row, shape, weights, device)
                : StaticCases.prediction(row, shape, weights, device);
    }
}
