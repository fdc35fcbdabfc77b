package dev.muster.plan.launch;

import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.plan.training.TrainingSoftware;
import java.util.Locale;

/// The facts of a plan to train a model.
final class TrainingFacts {
    private TrainingFacts() {}

    static LaunchFacts of(TrainingPlan plan) {
        TrainingRequest request = plan.request();
        TrainingRun run = plan.run();
        int hosts = plan.hosts();
        LaunchFacts.Builder facts = LaunchFacts.builder()
                .put(LaunchFact.PURPOSE, LaunchTarget.Kind.TRAINING.label())
                .put(LaunchFact.MODEL, request.model().source())
                .put(LaunchFact.ENGINE, engine(plan.software()))
                .put(LaunchFact.ENGINE_NAME, plan.software().display())
                .put(LaunchFact.FAMILY, plan.cluster().pool().device().family().label())
                .put(LaunchFact.DEVICE, plan.cluster().pool().name())
                .put(LaunchFact.HOSTS, hosts)
                .put(LaunchFact.DEVICES_PER_HOST, plan.devices() / hosts)
                .put(LaunchFact.METHOD, method(request.method()))
                .put(LaunchFact.PRECISION, request.precision().label())
                .put(LaunchFact.SEQUENCE, request.sequence())
                .put(LaunchFact.GLOBAL_BATCH, request.batch())
                .put(LaunchFact.MICRO_BATCH, (long) run.microBatch())
                .put(LaunchFact.ACCUMULATION, (long) run.microBatches())
                .put(LaunchFact.TENSOR, (long) run.tensor())
                .put(LaunchFact.STAGES, (long) run.stages())
                .put(LaunchFact.CONTEXT_PARALLEL, (long) run.context())
                .put(LaunchFact.EXPERT, (long) run.expert())
                .put(LaunchFact.REPLICAS, (long) run.replicas())
                .put(LaunchFact.VIRTUAL_STAGES, (long) run.virtualStages())
                .put(LaunchFact.RECOMPUTE, run.recompute().name().toLowerCase(Locale.ROOT))
                .put(LaunchFact.ZERO_STAGE, zero(run))
                .put(LaunchFact.ORDER, run.order() == Order.STAGES_FIRST ? "stages-first" : "replicas-first")
                .architecture(request.architecture());
        if (run.offload() != Offload.NONE) {
            facts.put(LaunchFact.OFFLOAD, run.offload().label());
            facts.put(
                    LaunchFact.OFFLOAD_DEVICE,
                    plan.cluster().store().place() == OffloadStore.Place.HOST ? "cpu" : "nvme");
        }
        if (run.virtualStages() > 1) {
            facts.put(
                    LaunchFact.LAYERS_PER_VIRTUAL_STAGE,
                    Math.round(plan.layers() / (run.stages() * run.virtualStages())));
        }
        if (plan.layers() % (int) run.stages() != 0) {
            facts.put(LaunchFact.STAGE_LAYERS, stageLayers(plan));
        }
        DeviceNaming.putVisible(facts, plan.members(), hosts);
        return facts.build();
    }

    /// The target that starts a framework; its own name where there is none.
    private static String engine(TrainingSoftware software) {
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

    /// Such as `Et*15|(t*16|)*6t*15L`: stages of the same size are counted.
    private static String stageLayers(TrainingPlan plan) {
        StageLayers layers = plan.stageLayers();
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
