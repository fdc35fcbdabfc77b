package dev.muster.plan.launch;

import dev.muster.plan.memory.FormatNames;
import dev.muster.plan.search.KvNumber;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import java.util.Locale;

/// The facts of a plan to serve a model.
final class ServingFacts {
    private static final double GIB = 1L << 30;

    private ServingFacts() {}

    static LaunchFacts of(ServingRequest request, ServingPlan plan, String model, int hosts) {
        int perCopy = Math.ceilDiv(request.concurrency(), plan.copies());
        int context = request.input() + request.output();
        LaunchFacts.Builder facts = LaunchFacts.builder()
                .put(LaunchFact.PURPOSE, LaunchKind.SERVING.label())
                .put(LaunchFact.MODEL, model)
                .put(LaunchFact.FORMAT, request.format())
                .put(LaunchFact.GGUF, FormatNames.isGgufAlone(request.format()) ? 1 : 0)
                .put(LaunchFact.ENGINE, plan.software().label())
                .put(LaunchFact.ENGINE_NAME, plan.software().display())
                .put(LaunchFact.FAMILY, plan.pool().device().family().label())
                .put(LaunchFact.DEVICE, plan.pool().name())
                .put(LaunchFact.HOSTS, hosts)
                .put(LaunchFact.DEVICES_PER_HOST, Math.ceilDiv(plan.pool().count(), hosts))
                .put(LaunchFact.TENSOR, plan.layout().tensor())
                .put(LaunchFact.STAGES, plan.layout().stages())
                .put(LaunchFact.EXPERT, plan.layout().expert())
                .put(LaunchFact.ATTENTION_REPLICAS, plan.layout().replicas())
                .put(LaunchFact.COPIES, plan.copies())
                .put(LaunchFact.CONTEXT, context)
                .put(LaunchFact.SEQUENCES, perCopy)
                .put(
                        LaunchFact.SEQUENCES_EACH,
                        Math.ceilDiv(perCopy, plan.layout().replicas()))
                .put(LaunchFact.TOTAL_CONTEXT, (long) context * perCopy)
                .put(LaunchFact.KV_BITS, (long) Byte.SIZE * KvNumber.bytes(plan.software(), request.format()))
                .put(
                        LaunchFact.MEMORY_FRACTION,
                        decimal(plan.memory().capacity() / plan.pool().device().memory(), 2))
                .put(LaunchFact.STATIC_FRACTION, staticFraction(plan))
                .put(LaunchFact.WEIGHTS_EACH, decimal(plan.memory().weights() / GIB, 1))
                .put(LaunchFact.CACHE_EACH, decimal(plan.memory().cache() / GIB, 1))
                .architecture(request.architecture());
        if (model.toLowerCase(Locale.ROOT).endsWith(".gguf")) {
            facts.put(LaunchFact.MODEL_FILE, model);
        }
        FormatNames.weights(request.format(), request.architecture())
                .find()
                .ifPresent(weights ->
                        facts.put(LaunchFact.WEIGHTS, decimal(weights.total().toDouble() / GIB, 1)));
        return facts.build();
    }

    /// Rounded down, so that the engine takes no more than was planned.
    private static String staticFraction(ServingPlan plan) {
        double share = (plan.memory().capacity() - plan.memory().workspace())
                / plan.pool().device().memory();
        return decimal(Math.floor(share * 100) / 100, 2);
    }

    private static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
