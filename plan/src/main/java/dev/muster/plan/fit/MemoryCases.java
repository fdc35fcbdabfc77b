package dev.muster.plan.fit;

import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.catalogue.ModelEntry;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.time.EagerShape;
import dev.muster.plan.time.FineTune;
import dev.muster.plan.time.FineTune.Method;
import dev.muster.plan.time.FineTune.States;
import dev.muster.plan.time.FineTuneMemory;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Rows of memory in training.
final class MemoryCases {
    private static final double GIB = 1L << 30;
    private static final Pattern DEGREE = Pattern.compile("(fsdp|tp|pp|cp)([1-9]\\d{0,5})");
    /// Ranks on queries and values: that of the resource tables follows from the rows' counts, that of the hub is
    /// recalled.
    private static final int HUB_RANK = 32;

    private static final int TABLE_RANK = 8;

    private MemoryCases() {}

    static void add(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<ModelArchitecture> model =
                cases.models().find(row.text("model")).map(ModelEntry::architecture);
        if (row.text("metric").equals("oom")) {
            cases.doubt(id, "the row tells that it did not fit, no figure");
        } else if (model.isEmpty()) {
            cases.refuse(id, "nobody knows model '" + row.text("model") + "'");
        } else if (row.text("kind").equals("train_peak")) {
            addTraining(row, model.get(), cases);
        } else {
            StorageCases.add(row, model.get(), cases);
        }
    }

    private static void addTraining(TruthRow row, ModelArchitecture model, MeasuredCases.Builder cases) {
        EagerShape.of(model)
                .ifPresentOrElse(
                        shape -> cases.add(new MeasuredCase(
                                row.id(),
                                row.text("group_id"),
                                MeasuredClass.TRAINING_MEMORY,
                                row.number("value") * (row.text("metric").equals("gib") ? GIB : 1e9),
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
        // It tells what the allocator took.
        return run.recompute() == Recompute.FULL
                ? c -> memory.peak() * c.get("pytorch/reserved-recomputed")
                : _ -> memory.peak();
    }

    /// The rows do not state optimizer, recomputation and dropout. Taken is what their figures suggest: in full
    /// fine-tuning states on the host and recomputation, in the hub's rows accumulated gradients and dropout.
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
}
