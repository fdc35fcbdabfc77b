// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.core.Provenance;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.time.EagerModel;
import dev.muster.plan.time.EagerShape;
import dev.muster.plan.time.FineTune;
import dev.muster.plan.time.FineTune.Method;
import dev.muster.plan.time.FineTune.States;
import dev.muster.plan.time.FineTuneMemory;
import java.util.Optional;

/// Rows measured for this project on one H200 with PyTorch.
final class H200Cases {
    private static final Provenance MEASURED =
            Provenance.of("the measured model", Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);

    private static final String DEVICE = "h200-sxm";

    private H200Cases() {}

    static void addInference(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<EagerShape> shape = shape(row.text("model"), cases.models());
        if (shape.isEmpty()) {
            cases.refuseModel(row);
            return;
        }
        DeviceFigures device = cases.device(DEVICE);
        double batch = row.number("batch");
        double tokens = row.number("ctx_or_seq");
        String group = "h200/" + row.text("model");
        boolean decode = row.text("kind").equals("decode");
        MeasuredClass measured = decode
                ? MeasuredClass.H200_DECODE
                : batch * tokens >= 2048 ? MeasuredClass.H200_PREFILL : MeasuredClass.H200_SHORT_PREFILL;
        cases.add(new MeasuredCase(id, group, measured, row.number("ms"), 1, c -> {
            EagerModel model = new EagerModel(shape.get(), device, c);
            return 1e3 * (decode ? model.decode(batch, tokens) : model.prefill(batch, tokens));
        }));
    }

    static void addTraining(TruthRow row, MeasuredCases.Builder cases) {
        String id = row.id();
        Optional<EagerShape> found = shape(row.text("model"), cases.models());
        if (found.isEmpty()) {
            cases.refuseModel(row);
            return;
        }
        DeviceFigures device = cases.device(DEVICE);
        EagerShape shape = found.get();
        boolean adapters = row.text("method").equals("lora");
        Recompute recompute = row.number("recompute") > 0 ? Recompute.FULL : Recompute.NONE;
        FineTune run = FineTune.single(
                adapters ? Method.ADAPTERS : Method.FULL,
                row.text("precision").equals("bf16") ? States.BRAIN_FLOAT : States.AUTOCAST,
                recompute,
                row.number("batch"),
                row.number("seq"));
        // Rank 16 on all seven matrices of a layer.
        FineTuneMemory memory = new FineTuneMemory(
                shape, run, new FineTuneMemory.Adapters(row.number("trainable_params"), adapters ? 7 * 16 : 0, 0));
        String slack = "pytorch/reserved" + (recompute == Recompute.FULL ? "-recomputed" : "");
        String group = "h200/" + row.text("model");
        cases.add(new MeasuredCase(
                id + "/step",
                group,
                MeasuredClass.H200_TRAINING_STEP,
                row.number("step_ms"),
                1,
                c -> 1e3 * new EagerModel(shape, device, c).step(run)));
        cases.add(new MeasuredCase(
                id + "/peak",
                group,
                MeasuredClass.H200_TRAINING_PEAK,
                row.number("peak_alloc_bytes"),
                1,
                _ -> memory.peak()));
        cases.add(new MeasuredCase(
                id + "/reserved",
                group,
                MeasuredClass.H200_TRAINING_RESERVED,
                row.number("peak_reserved_bytes"),
                1,
                c -> memory.reserved(c.get(slack))));
    }

    private static Optional<EagerShape> shape(String name, ModelCatalogue models) {
        return name.equals("llama-0.5b")
                ? EagerShape.of(small())
                : models.find(name).flatMap(entry -> EagerShape.of(entry.architecture()));
    }

    /// Returns the smallest model of the training rows, which is not published: its count of 317,228,032 comes out.
    private static ModelArchitecture small() {
        return ModelArchitecture.builder()
                .family("llama", MEASURED)
                .dimension(ModelDimension.LAYERS, 16, MEASURED)
                .dimension(ModelDimension.HIDDEN_SIZE, 1024, MEASURED)
                .dimension(ModelDimension.HEADS, 16, MEASURED)
                .dimension(ModelDimension.KV_HEADS, 8, MEASURED)
                .dimension(ModelDimension.HEAD_SIZE, 64, MEASURED)
                .dimension(ModelDimension.FEED_FORWARD_SIZE, 4096, MEASURED)
                .dimension(ModelDimension.VOCABULARY, 32_000, MEASURED)
                .tiedEmbeddings(false, MEASURED)
                .build();
    }
}
