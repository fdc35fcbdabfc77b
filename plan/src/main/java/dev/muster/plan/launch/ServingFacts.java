package dev.muster.plan.launch;

import dev.muster.plan.memory.GgufFormat;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.tensor.StoredWeights;
import java.util.Locale;

/// The facts of a plan to serve a model.
final class ServingFacts {
    private static final double GIB = 1L << 30;
    /// Nine tenths of a number, divided by it, may be a little less than nine tenths.
    private static final double ROUNDING = 1e-9;

    private ServingFacts() {}

    static LaunchFacts of(ServingPlan plan) {
        ServingRequest request = plan.request();
        String model = request.model().source();
        int hosts = plan.pool().hosts();
        int perReplica = Math.ceilDiv(request.concurrency(), plan.replicas());
        int context = request.input() + request.output();
        LaunchFacts.Builder facts = LaunchFacts.builder()
                .put(LaunchFact.PURPOSE, LaunchTarget.Kind.SERVING.label())
                .put(LaunchFact.MODEL, model)
                .put(LaunchFact.FORMAT, request.format().label())
                .put(LaunchFact.GGUF, request.format() instanceof GgufFormat ? 1 : 0)
                .put(LaunchFact.ENGINE, plan.software().label())
                .put(LaunchFact.ENGINE_NAME, plan.software().display())
                .put(LaunchFact.FAMILY, plan.pool().device().family().label())
                .put(LaunchFact.DEVICE, plan.pool().name())
                .put(LaunchFact.HOSTS, hosts)
                .put(LaunchFact.DEVICES_PER_HOST, Math.ceilDiv(plan.pool().count(), hosts))
                .put(LaunchFact.TENSOR, plan.layout().tensor())
                .put(LaunchFact.STAGES, plan.layout().stages())
                .put(LaunchFact.EXPERT, plan.layout().expert())
                .put(LaunchFact.ATTENTION_REPLICAS, plan.layout().attentionReplicas())
                .put(LaunchFact.REPLICAS, plan.replicas())
                .put(LaunchFact.CONTEXT, context)
                .put(LaunchFact.SEQUENCES, perReplica)
                .put(
                        LaunchFact.SEQUENCES_EACH,
                        Math.ceilDiv(perReplica, plan.layout().attentionReplicas()))
                .put(LaunchFact.TOTAL_CONTEXT, (long) context * perReplica)
                .put(LaunchFact.KV_BITS, (long) Byte.SIZE * plan.software().kvBytes(request.format()))
                .put(LaunchFact.MEMORY_FRACTION, fraction(plan, plan.memory().capacity()))
                .put(
                        LaunchFact.STATIC_FRACTION,
                        fraction(plan, plan.memory().capacity() - plan.memory().workspace()))
                .put(LaunchFact.WEIGHTS_EACH, decimal(plan.memory().weights() / GIB, 1))
                .put(LaunchFact.CACHE_EACH, decimal(plan.memory().kvCache() / GIB, 1))
                .architecture(request.architecture());
        if (model.toLowerCase(Locale.ROOT).endsWith(".gguf")) {
            facts.put(LaunchFact.MODEL_FILE, model);
        }
        StoredWeights.of(request.architecture(), request.format())
                .find()
                .ifPresent(weights ->
                        facts.put(LaunchFact.WEIGHTS, decimal(weights.total().toDouble() / GIB, 1)));
        DeviceNaming.putVisible(facts, plan.members(), hosts);
        return facts.build();
    }

    /// Rounded down, so that the engine takes no more than was planned: some refuse to start with more than is free.
    private static String fraction(ServingPlan plan, double bytes) {
        double percent = 100 * bytes / plan.pool().device().memory();
        return decimal(Math.floor(percent + ROUNDING) / 100, 2);
    }

    private static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
