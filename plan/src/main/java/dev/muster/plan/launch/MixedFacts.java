package dev.muster.plan.launch;

import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.MixedPlan.Placement;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSoftware;
import java.util.List;
import java.util.Locale;

/// The facts of a plan over unlike devices, which llama.cpp alone runs.
final class MixedFacts {
    private static final int KV_BITS = 16;

    private MixedFacts() {}

    static LaunchFacts of(MixedPlan plan) {
        ServingRequest request = plan.request();
        String model = request.model().source();
        int context = request.input() + request.output();
        List<Placement> cards =
                plan.placements().stream().filter(one -> !one.isHost()).toList();
        LaunchFacts.Builder facts = LaunchFacts.builder()
                .put(LaunchFact.PURPOSE, LaunchTarget.Kind.SERVING.label())
                .put(LaunchFact.MODEL, model)
                .put(LaunchFact.FORMAT, request.format().label())
                .put(LaunchFact.GGUF, 1)
                .put(LaunchFact.ENGINE, ServingSoftware.LLAMA_CPP.label())
                .put(LaunchFact.ENGINE_NAME, ServingSoftware.LLAMA_CPP.display())
                .put(
                        LaunchFact.DEVICE,
                        String.join(
                                " and ", cards.stream().map(Placement::device).toList()))
                .put(LaunchFact.HOSTS, 1)
                .put(LaunchFact.DEVICES_PER_HOST, cards.size() + plan.idle().size())
                .put(LaunchFact.TENSOR, 1)
                .put(LaunchFact.STAGES, Math.max(1, cards.size()))
                .put(LaunchFact.REPLICAS, 1)
                .put(LaunchFact.CONTEXT, context)
                .put(LaunchFact.SEQUENCES, request.concurrency())
                .put(LaunchFact.SEQUENCES_EACH, request.concurrency())
                .put(LaunchFact.TOTAL_CONTEXT, (long) context * request.concurrency())
                .put(LaunchFact.KV_BITS, KV_BITS)
                .architecture(request.architecture())
                .put(LaunchFact.OFFLOADED_LAYERS, plan.deviceLayers());
        List<String> families = plan.members().stream()
                .map(device -> device.figures().family().label())
                .toList();
        // Devices of one maker answer to one variable, whatever their memory is made of.
        if (families.stream().map(family -> family.split("-", 2)[0]).distinct().count() == 1) {
            facts.put(LaunchFact.FAMILY, families.getFirst());
        }
        DeviceNaming.putVisible(facts, plan.members(), 1);
        if (cards.size() > 1) {
            facts.put(
                    LaunchFact.UNEQUAL_SHARES,
                    String.join(
                            ",",
                            cards.stream()
                                    .map(one -> String.valueOf(one.layers() + (one.hasHead() ? 1 : 0)))
                                    .toList()));
        }
        long hostLayers = request.architecture().find(ModelDimension.LAYERS).orElse(0) + 1 - plan.deviceLayers();
        if (hostLayers > 0) {
            facts.put(LaunchFact.HOST_LAYERS, hostLayers);
        }
        if (plan.hostExperts() > 0) {
            facts.put(LaunchFact.HOST_EXPERTS, plan.hostExperts());
        }
        if (model.toLowerCase(Locale.ROOT).endsWith(".gguf")) {
            facts.put(LaunchFact.MODEL_FILE, model);
        }
        return facts.build();
    }
}
