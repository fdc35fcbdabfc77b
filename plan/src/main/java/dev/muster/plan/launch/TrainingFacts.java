// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The launch facts of training plans.
final class TrainingFacts {
    private TrainingFacts() {}

    static LaunchFacts of(TrainingPlan plan) {
        TrainingRequest request = plan.request();
        TrainingRun run = plan.run();
        int hosts = plan.hosts();
        LaunchFacts facts = LaunchFacts.NONE
                .with(LaunchTarget.LaunchKind.TRAINING)
                .with(LaunchFact.MODEL, request.model().source())
                .with(LaunchFact.ENGINE, engine(plan.software()))
                .with(LaunchFact.ENGINE_NAME, plan.software().display())
                .with(LaunchFact.FAMILY, plan.cluster().pool().device().family().label())
                .with(LaunchFact.DEVICE, plan.cluster().pool().name())
                .with(LaunchFact.DEVICE_ID, plan.cluster().pool().device().id())
                .with(LaunchFact.NEEDED_BYTES, (long) plan.memory().total())
                .with(LaunchFact.NEEDED_MEBIBYTES, (long) plan.memory().total() >> 20)
                .with(LaunchFact.HOSTS, hosts)
                .with(LaunchFact.DEVICES_PER_HOST, plan.devices() / hosts)
                .with(LaunchFact.METHOD, method(request.method()))
                .with(LaunchFact.PRECISION, precision(plan))
                .with(LaunchFact.SEQUENCE, request.sequence())
                .with(LaunchFact.GLOBAL_BATCH, request.batch())
                .with(LaunchFact.MICRO_BATCH, (long) run.microBatch())
                .with(LaunchFact.ACCUMULATION, (long) run.microBatches())
                .with(LaunchFact.TENSOR, (long) run.tp())
                .with(LaunchFact.STAGES, (long) run.pp())
                .with(LaunchFact.CONTEXT_PARALLEL, (long) run.cp())
                .with(LaunchFact.EXPERT, (long) run.ep())
                .with(LaunchFact.REPLICAS, (long) run.replicas())
                .with(LaunchFact.VIRTUAL_STAGES, (long) run.virtualStages())
                .with(LaunchFact.RECOMPUTE, run.recompute().name().toLowerCase(Locale.ROOT))
                .with(LaunchFact.ZERO_STAGE, zero(run))
                .with(LaunchFact.ORDER, run.order() == Order.STAGES_FIRST ? "stages-first" : "replicas-first")
                .withArchitecture(request.architecture());
        facts = ServingFacts.withCapability(facts, plan.cluster().pool().device());
        facts = ArchitectureFacts.addParts(
                facts, request.architecture(), request.model().name(), pieces(plan));
        String release = EngineRules.of(
                        plan.software(),
                        request.architecture(),
                        plan.cluster().pool().device())
                .release();
        facts = release.isEmpty() ? facts : facts.with(LaunchFact.RELEASE, release);
        if (run.offload() != Offload.NONE) {
            facts = facts.with(LaunchFact.OFFLOAD, run.offload().label());
            facts = facts.with(
                    LaunchFact.OFFLOAD_DEVICE,
                    plan.cluster().store().place() == OffloadStore.Place.HOST ? "cpu" : "nvme");
        }
        int parts = plan.stageLayers().stages() * virtualStages(plan);
        if (plan.layers() % parts != 0) {
            facts = facts.with(LaunchFact.STAGE_LAYERS, stageLayers(new StageLayers(plan.layers(), parts)));
        } else if (run.virtualStages() > 1) {
            facts = facts.with(LaunchFact.LAYERS_PER_VIRTUAL_STAGE, plan.layers() / parts);
        }
        return DeviceNaming.withVisible(facts, plan.members(), hosts);
    }

    /// Returns the precision; devices without bf16 use fp16.
    private static String precision(TrainingPlan plan) {
        TrainingPrecision asked = plan.request().precision();
        boolean isBf16 = asked == TrainingPrecision.BF16;
        return isBf16 && !plan.cluster().pool().device().hasBf16() ? "fp16" : asked.label();
    }

    /// Returns the layers of each stage, or of each virtual stage.
    private static List<Integer> pieces(TrainingPlan plan) {
        List<Integer> pieces = new ArrayList<>();
        StageLayers layers = new StageLayers(plan.layers(), plan.stageLayers().stages() * virtualStages(plan));
        for (int piece = 0; piece < layers.stages(); piece++) {
            pieces.add(layers.count(piece));
        }
        return pieces;
    }

    private static int virtualStages(TrainingPlan plan) {
        return Math.max(1, (int) plan.run().virtualStages());
    }

    /// Returns the target that starts a framework; the framework's own name if there is none.
    private static String engine(TrainingFramework software) {
        return switch (software) {
            case MEGATRON -> LaunchTarget.MEGATRON_LM.label();
            case PYTORCH -> LaunchTarget.ACCELERATE.label();
            case TORCHTITAN -> LaunchTarget.TORCHRUN.label();
            case MAXTEXT, NEURONX, MEGATRON_DEEPSPEED -> software.label();
        };
    }

    private static String method(TrainingMethod method) {
        return switch (method) {
            case TrainingMethod.QLora _ -> "qlora";
            case TrainingMethod.Simple simple -> simple.display();
        };
    }

    private static int zero(TrainingRun run) {
        return switch (run.sharding()) {
            case NONE -> 0;
            case OPTIMIZER -> 1;
            case GRADIENTS -> 2;
            case WEIGHTS -> 3;
        };
    }

    /// Returns the stages, such as `Et*15|(t*16|)*6t*15L`: stages of the same size are counted.
    private static String stageLayers(StageLayers layers) {
        int stages = layers.stages();
        StringBuilder text = new StringBuilder("Et*").append(layers.count(0)).append('|');
        int stage = 1;
        while (stage < stages - 1) {
            int same = 1;
            while (stage + same < stages - 1 && layers.count(stage + same) == layers.count(stage)) {
                same++;
            }
            text.append("(t*").append(layers.count(stage)).append("|)*").append(same);
            stage += same;
        }
        return text.append("t*").append(layers.count(stages - 1)).append('L').toString();
    }
}
