// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.ModelDimension;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.search.ServingWork;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.MixedPlan.Placement;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import java.util.List;
import java.util.Locale;

/// The launch facts of serving plans.
final class ServingFacts {
    private static final double GIB = 1L << 30;
    /// The largest rounding error of nine tenths of a number, divided by it.
    private static final double ROUNDING = 1e-9;

    /// Ten minutes to start and compile; a GiB of weights takes ten seconds besides, over a network of 1 Gb/s.
    private static final long LEAST_STARTUP_TRIES = 60;

    private ServingFacts() {}

    /// @param engine engine to start, which may differ from the plan's
    /// @param rules rules of its release
    static LaunchFacts of(ServingPlan plan, ServingEngine engine, EngineRules rules) {
        ServingRequest request = plan.request();
        int hosts = plan.pool().hosts();
        int perReplica = Math.ceilDiv(request.concurrency(), plan.replicas());
        LaunchFacts facts = context(common(request, plan.software(), perReplica), plan, engine, perReplica)
                .with(LaunchFact.FAMILY, plan.pool().device().family().label())
                .with(LaunchFact.DEVICE, plan.pool().name())
                .with(LaunchFact.DEVICE_ID, plan.pool().device().id())
                .with(LaunchFact.HOSTS, hosts)
                .with(LaunchFact.DEVICES_PER_HOST, Math.ceilDiv(plan.pool().count(), hosts))
                .with(LaunchFact.TENSOR, plan.layout().tp())
                .with(LaunchFact.STAGES, plan.layout().pp())
                .with(LaunchFact.EXPERT, plan.layout().ep())
                .with(LaunchFact.ATTENTION_REPLICAS, plan.layout().attentionDp())
                .with(LaunchFact.REPLICAS, plan.replicas())
                .with(
                        LaunchFact.SEQUENCES_EACH,
                        Math.ceilDiv(perReplica, plan.layout().attentionDp()))
                .with(LaunchFact.MEMORY_FRACTION, fraction(plan, plan.memory().capacity()))
                .with(
                        LaunchFact.STATIC_FRACTION,
                        fraction(plan, plan.memory().capacity() - plan.memory().workspace()))
                .with(LaunchFact.WEIGHTS_EACH, decimal(plan.memory().weights() / GIB, 1));
        LaunchFacts weighed = StoredWeights.of(request.architecture(), request.format())
                .find()
                .map(weights -> facts.with(
                                LaunchFact.WEIGHTS, decimal(weights.total().toDouble() / GIB, 1))
                        .with(
                                LaunchFact.STARTUP_TRIES,
                                LEAST_STARTUP_TRIES + (long) (weights.total().toDouble() / GIB)))
                .orElse(facts);
        long cached = Math.max(facts.number(LaunchFact.CONTEXT), (long) perReplica * request.tokens());
        LaunchFacts counted = DeviceNaming.withCores(ruled(weighed, plan, engine, rules), cached);
        return DeviceNaming.withVisible(counted, plan.members(), hosts);
    }

    /// Adds the options that the engine's scheduler was simulated with: of a replica, and of each of its attention
    /// ranks.
    static LaunchFacts scheduled(LaunchFacts facts, DeploymentPlan deployment) {
        ServingSimulation.Scheduler scheduler = deployment.simulation().scheduler();
        int ranks = deployment.plan().layout().attentionDp();
        DeviceMemoryUse memory = deployment.plan().memory();
        double cache = memory.capacity() - memory.weights() - memory.workspace();
        int draft = deployment.simulation().draft();
        LaunchFacts drafted =
                draft == 0 ? facts : facts.with(LaunchFact.DRAFT_TOKENS, draft).with(LaunchFact.DRAFT_ROWS, draft + 1);
        long longest = deployment.simulation().longest();
        boolean isRoomy = !deployment.plan().request().limitsContext()
                && deployment.plan().software() != ServingEngine.LLAMA_CPP
                && facts.number(LaunchFact.CONTEXT) > longest;
        LaunchFacts admitting =
                isRoomy ? drafted.with(LaunchFact.PLANNED_CONTEXT, longest) : drafted.with(LaunchFact.CONTEXT, longest);
        return admitting
                .with(LaunchFact.TOKEN_BUDGET, scheduler.tokenBudget() / ranks)
                .with(LaunchFact.CACHE_EACH, decimal(cache / GIB, 1))
                .with(LaunchFact.SEQUENCES, scheduler.maxSequences())
                .with(LaunchFact.SEQUENCES_EACH, scheduler.maxSequences() / ranks);
    }

    /// Adds the facts that the release derives from the plan and its devices.
    private static LaunchFacts ruled(LaunchFacts known, ServingPlan plan, ServingEngine engine, EngineRules rules) {
        LaunchFacts facts = rules.release().isEmpty() ? known : known.with(LaunchFact.RELEASE, rules.release());
        facts = withCapability(facts, plan.pool().device());
        ServingRequest request = plan.request();
        int kvBytes = rules.kvBytes(request);
        if (request.kvBits() != 0 || kvBytes == 1) {
            facts = facts.with(LaunchFact.KV_DTYPE, (long) Byte.SIZE * kvBytes);
        }
        return CheckpointFacts.add(
                PracticeFacts.add(facts, request, engine),
                request,
                engine,
                rules,
                plan.layout(),
                plan.memory().capacity());
    }

    /// Adds the longest sequence that is admitted: the requested one, or else as long as the model allows and the
    /// memory permits.
    private static LaunchFacts context(LaunchFacts facts, ServingPlan plan, ServingEngine engine, int sequences) {
        ServingRequest request = plan.request();
        // llama.cpp divides its memory evenly; the others let one sequence take it.
        int together = engine == ServingEngine.LLAMA_CPP ? sequences : 1;
        int context = request.limitsContext() ? request.tokens() : ServingWork.longestContext(plan, together);
        // It also takes that memory at once.
        DeviceMemoryUse used =
                engine == ServingEngine.LLAMA_CPP ? ServingWork.memory(plan, sequences, context) : plan.memory();
        LaunchFacts known = facts.with(LaunchFact.CACHE_EACH, decimal(used.kvCache() / GIB, 1))
                .with(LaunchFact.NEEDED_BYTES, (long) used.total())
                .with(LaunchFact.NEEDED_MEBIBYTES, (long) used.total() >> 20)
                .with(LaunchFact.CONTEXT, context)
                .with(LaunchFact.TOTAL_CONTEXT, (long) context * sequences);
        return context == request.tokens() ? known : known.with(LaunchFact.PLANNED_CONTEXT, request.tokens());
    }

    static LaunchFacts withCapability(LaunchFacts facts, DeviceFigures device) {
        return device.computeCapability()
                .find()
                .map(capability -> facts.with(LaunchFact.CAPABILITY, decimal(capability, 1))
                        .with(LaunchFact.CAPABILITY_MAJOR, capability.longValue())
                        .with(LaunchFact.CAPABILITY_MINOR, Math.round(capability * 10) % 10))
                .orElse(facts);
    }

    /// Returns the facts of a plan over unlike devices, which only llama.cpp runs.
    static LaunchFacts of(MixedPlan plan) {
        ServingRequest request = plan.request();
        List<Placement> cards =
                plan.placements().stream().filter(one -> !one.isHost()).toList();
        EngineRules rules = EngineRules.of(
                ServingEngine.LLAMA_CPP,
                request.architecture(),
                request.format(),
                plan.members().getFirst().figures());
        LaunchFacts facts = common(request, ServingEngine.LLAMA_CPP, request.concurrency())
                .with(LaunchFact.RELEASE, rules.release())
                .with(LaunchFact.GGUF, 1)
                .with(
                        LaunchFact.DEVICE,
                        String.join(
                                " and ", cards.stream().map(Placement::device).toList()))
                .with(LaunchFact.HOSTS, 1)
                .with(LaunchFact.DEVICES_PER_HOST, cards.size() + plan.idle().size())
                .with(LaunchFact.TENSOR, 1)
                .with(LaunchFact.STAGES, Math.max(1, cards.size()))
                .with(LaunchFact.REPLICAS, 1)
                .with(LaunchFact.SEQUENCES_EACH, request.concurrency())
                .with(LaunchFact.OFFLOADED_LAYERS, plan.deviceLayers());
        List<String> families = plan.members().stream()
                .map(device -> device.figures().family().label())
                .toList();
        // Devices of one maker share one variable for any memory.
        if (families.stream().map(family -> family.split("-", 2)[0]).distinct().count() == 1) {
            facts = facts.with(LaunchFact.FAMILY, families.getFirst());
        }
        if (cards.size() > 1) {
            List<String> layers = cards.stream()
                    .map(one -> String.valueOf(one.layers() + (one.hasHead() ? 1 : 0)))
                    .toList();
            facts = facts.with(LaunchFact.UNEQUAL_SHARES, layers);
        }
        long hostLayers = request.architecture().find(ModelDimension.LAYERS).orElse(0) + 1 - plan.deviceLayers();
        if (hostLayers > 0) {
            facts = facts.with(LaunchFact.HOST_LAYERS, hostLayers);
        }
        if (plan.hostExperts() > 0) {
            facts = facts.with(LaunchFact.HOST_EXPERTS, plan.hostExperts());
        }
        return DeviceNaming.withVisible(facts, plan.members(), 1);
    }

    private static LaunchFacts common(ServingRequest request, ServingEngine software, int sequences) {
        String model = request.model().source();
        int context = request.input() + request.output();
        LaunchFacts facts = LaunchFacts.NONE
                .with(LaunchTarget.LaunchKind.SERVING)
                .with(LaunchFact.MODEL, model)
                .with(LaunchFact.FORMAT, request.format().label())
                .with(LaunchFact.GGUF, request.format() instanceof GgufFormat ? 1 : 0)
                .with(LaunchFact.ENGINE, software.label())
                .with(LaunchFact.ENGINE_NAME, software.display())
                .with(LaunchFact.CONTEXT, context)
                .with(LaunchFact.SEQUENCES, sequences)
                .with(LaunchFact.TOTAL_CONTEXT, (long) context * sequences)
                .withArchitecture(request.architecture());
        return model.toLowerCase(Locale.ROOT).endsWith(".gguf") ? facts.with(LaunchFact.MODEL_FILE, model) : facts;
    }

    /// Returns the share of memory, rounded down, so that the engine takes no more than planned: some refuse to start
    /// with more than is free.
    private static String fraction(ServingPlan plan, double bytes) {
        double percent = 100 * bytes / plan.pool().device().memory();
        return decimal(Math.floor(percent + ROUNDING) / 100, 2);
    }

    private static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
