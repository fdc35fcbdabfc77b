// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.KvCache;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.GgufMix;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.time.EagerShape;
import dev.muster.plan.time.FineTune;
import dev.muster.plan.time.FineTune.Method;
import dev.muster.plan.time.FineTune.States;
import dev.muster.plan.time.FineTuneMemory;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.TransformersModel;
import dev.muster.plan.time.VllmMemory;
import dev.muster.plan.time.WeightParts;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rows of memory: of training, of files, of engines after start, and of KV caches.
final class MemoryCases {
    private static final double GIB = 1L << 30;
    private static final double MIB = 1L << 20;
    private static final Pattern TOTAL = Pattern.compile("device_total_gib=([0-9]{1,6}(?:\\.[0-9]{1,6})?)");
    private static final Pattern KV_TOKENS = Pattern.compile("kv_gib_for_(\\d{1,12})_tokens");
    private static final Pattern PROMPT = Pattern.compile("prompt (\\d{1,9}),");
    private static final double UTILIZATION = 0.9;
    private static final Pattern DEGREE = Pattern.compile("(fsdp|tp|pp|cp)([1-9]\\d{0,5})");
    /// Ranks of adapters on queries and values: that of the resource tables follows from the rows' counts, that of
    /// the hub is from memory.
    private static final int HUB_RANK = 32;

    private static final int TABLE_RANK = 8;

    private MemoryCases() {}

    static void add(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<ModelArchitecture> model =
                cases.models().find(row.text("model")).map(ModelEntry::architecture);
        if (row.text("metric").equals("oom")) {
            cases.doubt(id, "the row states that it did not fit, without a figure");
        } else if (model.isEmpty()) {
            cases.refuseModel(row);
        } else if (row.text("kind").equals("train_peak")) {
            addTraining(row, model.get(), cases);
        } else {
            addStorage(row, model.get(), cases);
        }
    }

    private static void addTraining(TruthRow row, ModelArchitecture model, MeasuredCases.Builder cases) {
        EagerShape.of(model)
                .ifPresentOrElse(
                        shape -> cases.add(new MeasuredCase(
                                row.id(),
                                row.text("group_id"),
                                MeasuredClass.TRAINING_MEMORY,
                                row.number("value") * bytes(row.text("metric")),
                                1,
                                prediction(row, shape))),
                        () -> cases.refuse(row.id(), "the model has experts, or is not known in full"));
    }

    private static MeasuredCase.Prediction prediction(TruthRow row, EagerShape shape) {
        return row.text("source_id").equals("torchtitan") ? torchtitan(row, shape) : litgpt(row, shape);
    }

    private static MeasuredCase.Prediction torchtitan(TruthRow row, EagerShape shape) {
        int fsdp = 1;
        int tensor = 1;
        int stages = 1;
        int context = 1;
        Matcher degrees = DEGREE.matcher(row.text("parallelism"));
        while (degrees.find()) {
            int degree = Integer.parseInt(degrees.group(2));
            switch (degrees.group(1)) {
                case "fsdp" -> fsdp = degree;
                case "tp" -> tensor = degree;
                case "pp" -> stages = degree;
                default -> context = degree;
            }
        }
        // Context parallel ranks share parameters as well.
        double shards = (double) fsdp * tensor * stages * context;
        FineTune run = new FineTune(
                Method.FULL,
                States.SHARDED,
                row.text("method").contains("selective") ? Recompute.SELECTIVE : Recompute.FULL,
                Math.max(1, row.number("micro_batch")),
                row.number("seq_len"),
                shards,
                tensor,
                context,
                stages,
                false);
        FineTuneMemory memory = new FineTuneMemory(shape, run, new FineTuneMemory.Adapters(shape.parameters(), 0, 0));
        // The row has the allocator's peak.
        return run.recompute() == Recompute.FULL
                ? c -> memory.reserved(c.get("pytorch/reserved-recomputed"))
                : _ -> memory.peak();
    }

    /// Returns the prediction of a row of LitGPT, which does not state optimizer, recomputation and dropout. Assumed
    /// is what the figures suggest: in full fine-tuning states on the host and recomputation, in the hub's rows
    /// accumulated gradients and dropout.
    private static MeasuredCase.Prediction litgpt(TruthRow row, EagerShape shape) {
        boolean hub = row.text("source_id").equals("litgpt-config-hub");
        boolean full = row.text("method").equals("full");
        boolean quantized = row.text("weight_dtype").startsWith("nf4");
        double shards = row.text("parallelism").equals("fsdp") ? row.number("n_devices") : 1;
        int rank = hub ? HUB_RANK : TABLE_RANK;
        double trained = full
                ? shape.parameters()
                : shape.layers() * rank * (shape.hidden() + shape.queries() + shape.hidden() + shape.keys());
        FineTune run = new FineTune(
                full ? Method.FULL : quantized ? Method.QUANTIZED_ADAPTERS : Method.ADAPTERS,
                full ? States.PAGED : States.BRAIN_FLOAT,
                full || shards > 1 ? Recompute.FULL : Recompute.NONE,
                row.number("micro_batch"),
                row.number("seq_len"),
                shards,
                1,
                1,
                1,
                hub);
        FineTuneMemory memory = new FineTuneMemory(
                shape,
                run,
                new FineTuneMemory.Adapters(trained, full ? 0 : 2 * rank, full || !hub ? 0 : 2 * shape.hidden()));
        return _ -> memory.peak();
    }

    /// Adds rows of files, of engines after start, and of KV caches.
    private static void addStorage(TruthRow row, ModelArchitecture model, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<Double> predicted = predict(row, model);
        double measured = row.number("value") * unit(row);
        if (predicted.isEmpty()) {
            cases.refuse(id, "no prediction of " + row.text("kind") + " " + row.text("metric"));
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

    /// Returns the unit of a row. Qwen's tables write GB and mean 2^30: otherwise their figures for 16-bit weights
    /// would be below the size of the weights.
    private static double unit(TruthRow row) {
        String metric = row.text("metric");
        return metric.equals("gb") && row.text("source_id").equals("qwen2.5-speed") ? GIB : bytes(metric);
    }

    /// Returns the bytes of the unit that a metric names, 2^30 if it names none.
    private static double bytes(String metric) {
        return switch (metric) {
            case "bytes" -> 1;
            case "gb" -> 1e9;
            case "mb" -> 1e6;
            default -> metric.endsWith("mib") ? MIB : GIB;
        };
    }

    private static Optional<Double> predict(TruthRow row, ModelArchitecture model) {
        return switch (row.text("kind")) {
            case "weights_file" -> file(row, model);
            case "checkpoint" -> weights(row, model).map(WeightParts::bytes);
            case "inference_peak" -> generation(row, model);
            case "vllm_startup" -> vllm(row, model);
            case "kv_cache" -> cache(row, model);
            default -> Optional.empty();
        };
    }

    /// Returns the memory of Transformers during generation; that of the weights if lengths are not stated.
    private static Optional<Double> generation(TruthRow row, ModelArchitecture model) {
        Optional<Double> weights = weights(row, model).map(WeightParts::bytes);
        Matcher prompt = PROMPT.matcher(row.text("extra"));
        Optional<ModelShape> shape = ModelShape.of(model);
        return prompt.find() && shape.isPresent()
                ? weights.map(bytes -> TransformersModel.peakBytes(
                        shape.get(), bytes, Double.parseDouble(prompt.group(1)), row.number("seq_len")))
                : weights;
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
