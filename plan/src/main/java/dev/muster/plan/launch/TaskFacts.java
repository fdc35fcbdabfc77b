// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.serving.TaskRequest;
import java.util.Locale;

/// The launch facts of plans of models that do not chat.
final class TaskFacts {
    private static final double GIB = 1L << 30;
    private static final long LEAST_STARTUP_TRIES = 60;

    private TaskFacts() {}

    static LaunchFacts of(TaskPlan plan) {
        TaskRequest request = plan.request();
        DevicePool pool = plan.pool();
        int hosts = pool.hosts();
        LaunchFacts facts = LaunchFacts.NONE
                .with(LaunchTarget.LaunchKind.SERVING)
                .with(LaunchFact.MODEL, request.model().source())
                .with(LaunchFact.TASK, request.kind().label())
                .with(LaunchFact.FORMAT, request.format().label())
                .with(LaunchFact.GGUF, 0)
                .with(LaunchFact.CHECKPOINT, "whole")
                .with(LaunchFact.ENGINE, plan.engine().label())
                .with(LaunchFact.ENGINE_NAME, plan.engine().display())
                .with(LaunchFact.FAMILY, pool.device().family().label())
                .with(LaunchFact.DEVICE, pool.name())
                .with(LaunchFact.DEVICE_ID, pool.device().id())
                .with(LaunchFact.NEEDED_BYTES, (long) plan.memory().total())
                .with(LaunchFact.NEEDED_MEBIBYTES, (long) plan.memory().total() >> 20)
                .with(
                        LaunchFact.STARTUP_TRIES,
                        LEAST_STARTUP_TRIES + (long) (plan.memory().weights() / GIB))
                .with(LaunchFact.HOSTS, hosts)
                .with(LaunchFact.DEVICES_PER_HOST, Math.ceilDiv(pool.count(), hosts))
                .with(LaunchFact.TENSOR, plan.degree())
                .with(LaunchFact.STAGES, 1)
                .with(LaunchFact.EXPERT, 1)
                .with(LaunchFact.EXPERTS, 0)
                .with(LaunchFact.ATTENTION_REPLICAS, 1)
                .with(LaunchFact.REPLICAS, plan.replicas())
                .with(LaunchFact.CONTEXT, context(request))
                .with(LaunchFact.PLANNED_CONTEXT, request.input())
                .with(LaunchFact.TOTAL_CONTEXT, (long) request.input() * request.batch())
                .with(LaunchFact.SEQUENCES, request.batch())
                .with(LaunchFact.SEQUENCES_EACH, request.batch())
                .with(LaunchFact.WIDTH, request.width())
                .with(LaunchFact.HEIGHT, request.height())
                .with(LaunchFact.FRAMES, request.frames())
                .with(LaunchFact.DENOISING_STEPS, request.steps())
                .with(LaunchFact.MEMORY_FRACTION, fraction(plan))
                .with(
                        LaunchFact.WEIGHTS_EACH,
                        String.format(Locale.ROOT, "%.1f", plan.memory().weights() / GIB));
        LaunchFacts sized = facts.with(
                LaunchFact.WEIGHTS,
                String.format(Locale.ROOT, "%.1f", plan.memory().weights() / GIB));
        LaunchFacts released = plan.engine() != TaskEngine.VLLM
                ? sized
                : sized.with(
                        LaunchFact.RELEASE,
                        EngineRules.of(
                                        ServingEngine.VLLM,
                                        request.model().architecture(),
                                        request.format(),
                                        pool.device())
                                .release());
        return DeviceNaming.withVisible(ServingFacts.withCapability(released, pool.device()), plan.members(), hosts);
    }

    /// Returns the longest text. RoBERTa and its relatives have two positions before the first token.
    private static long context(TaskRequest request) {
        ModelArchitecture architecture = request.model().architecture();
        long positions = architecture.find(ModelDimension.CONTEXT).orElse(request.input());
        boolean isShifted = architecture.family().matches(name -> name.contains("roberta") || name.equals("camembert"));
        return Math.max(request.input(), isShifted ? positions - 2 : positions);
    }

    /// Returns the share of memory that a server may take: all that is free to it.
    private static String fraction(TaskPlan plan) {
        double share =
                Math.floor(100 * plan.memory().capacity() / plan.pool().device().memory()) / 100;
        return String.format(Locale.ROOT, "%.2f", Math.min(0.9, share));
    }
}
