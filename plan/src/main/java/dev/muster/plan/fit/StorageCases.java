package dev.muster.plan.fit;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.memory.GgufFormat;
import dev.muster.plan.memory.KvCache;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.tensor.GgufMix;
import dev.muster.plan.tensor.StoredWeights;
import dev.muster.plan.time.VllmMemory;
import dev.muster.plan.time.WeightParts;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rows of files, of what engines take when they start, and of KV caches.
final class StorageCases {
    private static final double GIB = 1L << 30;
    private static final Pattern TOTAL = Pattern.compile("device_total_gib=([0-9]{1,6}(?:\\.[0-9]{1,6})?)");
    private static final Pattern KV_TOKENS = Pattern.compile("kv_gib_for_(\\d{1,12})_tokens");
    private static final double UTILIZATION = 0.9;

    private StorageCases() {}

    static void add(TruthRow row, ModelArchitecture model, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<Double> predicted = predict(row, model);
        double measured = row.number("value") * unit(row.text("metric"));
        if (predicted.isEmpty()) {
            cases.refuse(id, "nothing predicts " + row.text("kind") + " " + row.text("metric"));
        } else {
            double value = predicted.get();
            cases.add(new MeasuredCase(id, row.text("group_id"), measuredClass(row), measured, 0, _ -> value));
        }
    }

    private static MeasuredClass measuredClass(TruthRow row) {
        return switch (row.text("kind")) {
            case "weights_file", "checkpoint" -> MeasuredClass.FILE_SIZE;
            default -> MeasuredClass.SERVING_MEMORY;
        };
    }

    private static double unit(String metric) {
        return metric.equals("bytes") ? 1 : metric.equals("gb") ? 1e9 : GIB;
    }

    private static Optional<Double> predict(TruthRow row, ModelArchitecture model) {
        return switch (row.text("kind")) {
            case "weights_file" -> file(row, model);
            case "checkpoint", "inference_peak" -> weights(row, model).map(WeightParts::bytes);
            case "vllm_startup" -> vllm(row, model);
            case "kv_cache" -> cache(row, model);
            default -> Optional.empty();
        };
    }

    private static Optional<Double> file(TruthRow row, ModelArchitecture model) {
        String wanted = row.text("weight_dtype").toUpperCase(Locale.ROOT);
        for (GgufFormat type : GgufFormat.values()) {
            if (type.name().equals(wanted)) {
                return GgufMix.of(type).fileSize(model).find().map(Bytes::toDouble);
            }
        }
        return weights(row, model).map(WeightParts::bytes);
    }

    private static Optional<WeightParts> weights(TruthRow row, ModelArchitecture model) {
        return WeightFormat.find(row.text("weight_dtype"))
                .flatMap(format -> StoredWeights.of(model, format).find())
                .map(WeightParts::of);
    }

    private static Optional<Double> vllm(TruthRow row, ModelArchitecture model) {
        Matcher total = TOTAL.matcher(row.text("extra"));
        Optional<WeightParts> weights = weights(row, model);
        if (!total.find() || weights.isEmpty()) {
            return Optional.empty();
        }
        double device = Double.parseDouble(total.group(1)) * GIB;
        int devices = row.degree("n_devices");
        double padded = row.text("weight_dtype").equals("mxfp4")
                ? VllmMemory.padding((double)
                        model.find(ModelDimension.EXPERT_FEED_FORWARD_SIZE).orElse(1))
                : 1;
        double held = (weights.get().bytes() + weights.get().experts().bytes() * (padded - 1)) / devices;
        double peak = VllmMemory.activationPeak(
                (double) model.find(ModelDimension.VOCABULARY).orElse(0), device);
        return switch (row.text("metric")) {
            case "weights_gib" -> Optional.of(held);
            case "activation_peak_gib" -> Optional.of(peak);
            case "non_torch_gib" -> Optional.of(VllmMemory.libraries(devices));
            case "kv_available_gib" ->
                Optional.of(Math.max(1, UTILIZATION * device - held - peak - VllmMemory.libraries(devices)));
            default -> Optional.empty();
        };
    }

    private static Optional<Double> cache(TruthRow row, ModelArchitecture model) {
        Matcher tokens = KV_TOKENS.matcher(row.text("metric"));
        Reading<KvCache> cache = KvCache.of(model, 2);
        return tokens.matches()
                ? cache.find()
                        .map(kv -> kv.ofTokens(Long.parseLong(tokens.group(1))).toDouble())
                : Optional.empty();
    }
}
