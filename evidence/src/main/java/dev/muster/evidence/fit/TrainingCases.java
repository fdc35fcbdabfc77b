// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.time.TrainingModel;
import dev.muster.plan.time.TrainingRates;
import dev.muster.plan.time.TrainingShape;
import dev.muster.plan.training.TrainingPrecision;
import java.util.Optional;
import java.util.Set;

/// Rows of training runs.
final class TrainingCases {
    private static final double TERA = 1e12;
    private static final double BILLION = 1e9;
    private static final double PERCENT = 100;
    private static final String ADAPTERS = "/lora";
    private static final String ONE_PART = "1F1B";
    /// Megatron-LM before flash attention.
    private static final Set<String> EARLY = Set.of("narayanan2021", "korthikanti2022");

    private TrainingCases() {}

    static void add(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<DeviceFigures> known = cases.findDevice(row);
        if (known.isEmpty()) {
            return;
        }
        if (findPrecision(row.text("precision")).isEmpty()) {
            cases.refuse(id, "unknown precision '" + row.text("precision") + "'");
            return;
        }
        DeviceFigures device = known.get();
        TrainingShape shape = shape(row, cases.models());
        double measured = measured(row, shape, device);
        if (measured > 0) {
            cases.addOfGroup(
                    "training",
                    new MeasuredCase(
                            id,
                            row.text("group_id"),
                            MeasuredClass.TRAINING_SPEED,
                            measured,
                            1,
                            prediction(row, shape, device)));
        } else {
            cases.doubt(id, "the row has no speed");
        }
    }

    private static MeasuredCase.Prediction prediction(TruthRow row, TrainingShape shape, DeviceFigures device) {
        TrainingRun run = run(row);
        boolean plain = row.text("note").contains("no compile");
        boolean overlapped = row.text("note").contains("async TP");
        String framework = framework(row);
        TrainingPrecision precision = findPrecision(row.text("precision")).orElseThrow();
        String release = row.text("source_id");
        return c -> TrainingModel.of(
                                shape,
                                device,
                                Fabric.usual(device, c.get("training/network")),
                                TrainingRates.of(framework, release, precision, device, c))
                        .tokensPerSecond(run)
                * (plain ? c.factor("training/no-compile") : 1)
                * (overlapped ? c.factor("training/async") : 1);
    }

    /// Returns the tokens per second and device from the figures of the row; 0 if it has none.
    private static double measured(TruthRow row, TrainingShape shape, DeviceFigures device) {
        double speed = row.number("tok_s_per_device");
        if (speed > 0) {
            return speed;
        }
        double reached = row.number("tflops_per_device") > 0
                ? row.number("tflops_per_device") * TERA
                : row.number("mfu_pct") / PERCENT * device.half();
        return reached / operations(row, shape);
    }

    /// Returns the operations of each token as the source counts them.
    private static double operations(TruthRow row, TrainingShape shape) {
        double layers = shape.layers();
        double hidden = shape.hidden();
        double sequence = row.number("seq_len");
        if (row.text("framework").equals("megatron-lm") && row.text("recompute").equals("full")) {
            // Narayanan et al. count the recomputed pass.
            return 96
                    * layers
                    * hidden
                    * hidden
                    * (1 + sequence / (6 * hidden) + row.number("vocab") / (16 * layers * hidden));
        }
        double attention = (row.text("framework").equals("maxtext") ? 12 : 6) * layers * hidden * sequence;
        return 6 * row.number("active_params_b") * BILLION + attention;
    }

    /// Returns the training shape; some sources changed published models, as their rows state.
    private static TrainingShape shape(TruthRow row, ModelCatalogue models) {
        boolean own = row.text("framework").equals("composer/FSDP")
                || row.text("group_id").startsWith("paper/megatron");
        return models.find(row.text("model"))
                .filter(_ -> !own)
                .flatMap(entry -> TrainingShape.of(entry.architecture()))
                .orElseGet(() -> TrainingShape.dense(
                        row.number("params_b") * BILLION,
                        row.number("layers"),
                        row.number("hidden"),
                        row.number("vocab")));
    }

    private static TrainingRun run(TruthRow row) {
        double devices = row.degree("n_devices");
        double batch = Math.max(1, row.number("micro_batch"));
        double tensor = row.degree("tp");
        double stages = row.degree("pp");
        double context = row.degree("cp");
        double global = row.number("global_batch");
        boolean maxtext = row.text("framework").equals("maxtext");
        return new TrainingRun(
                row.number("seq_len"),
                maxtext ? batch * tensor : batch,
                global > 0 ? global : maxtext ? batch * devices : batch * devices / (tensor * stages * context),
                devices,
                tensor,
                stages,
                context,
                row.degree("ep"),
                virtualStages(row),
                switch (row.text("recompute")) {
                    case "full" -> Recompute.FULL;
                    case "selective", "minimal", "partial", "qkv_proj_offloaded" -> Recompute.SELECTIVE;
                    default -> Recompute.NONE;
                },
                isMeta(row) ? Sharding.GRADIENTS : sharding(row.text("sharding")),
                Order.REPLICAS_FIRST,
                row.text("framework").endsWith(ADAPTERS),
                Offload.NONE);
    }

    /// Reports whether a row is from Meta's paper on Llama 3: weights stay gathered after the forward pass, and
    /// stages are interleaved layer by layer (the latter is not stated; the loss from 8,192 to 16,384 devices
    /// agrees).
    private static boolean isMeta(TruthRow row) {
        return row.text("framework").equals("meta");
    }

    private static double virtualStages(TruthRow row) {
        if (isMeta(row)) {
            return Math.ceil(row.number("layers") / row.degree("pp"));
        }
        // Only the note of some rows states the schedule: plain 1F1B has one part for each stage.
        return row.text("note").startsWith(ONE_PART) ? 1 : row.number("vpp");
    }

    private static Sharding sharding(String text) {
        return text.startsWith("f") || text.startsWith("shard")
                ? Sharding.WEIGHTS
                : text.equals("ddp") ? Sharding.NONE : Sharding.OPTIMIZER;
    }

    static String framework(TruthRow row) {
        String framework = row.text("framework");
        if (framework.equals("megatron-lm") && EARLY.contains(row.text("source_id"))) {
            return "megatron-lm-early";
        }
        return framework.startsWith("megatron-bridge") ? "megatron-bridge" : framework.replace(ADAPTERS, "");
    }

    /// Returns the precision of matrix products, if it is known.
    static Optional<TrainingPrecision> findPrecision(String text) {
        return switch (text) {
            case "fp16" -> Optional.of(TrainingPrecision.BF16);
            case "fp8-mx" -> Optional.of(TrainingPrecision.MXFP8);
            default -> TrainingPrecision.find(text.startsWith("fp8") ? "fp8" : text);
        };
    }
}
