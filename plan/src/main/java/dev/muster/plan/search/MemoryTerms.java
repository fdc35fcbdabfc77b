// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.text.FixedText;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.time.WeightParts;
import java.util.ArrayList;
import java.util.List;

/// Collects the memory terms of a device, with the arithmetic in words. Confined to one thread.
final class MemoryTerms {
    private static final double MILLION = 1e6;
    private static final double BITS = 8;

    private final Candidate candidate;
    private final List<MemoryTerm> terms = new ArrayList<>();

    MemoryTerms(Candidate candidate) {
        this.candidate = candidate;
    }

    /// Adds all weights.
    ///
    /// @param sharers devices that share all weights but routed experts
    /// @param expertSharers devices that share the routed experts
    void weights(double sharers, double expertSharers) {
        WeightParts weights = candidate.weights();
        weights("attention projections", weights.attention(), sharers);
        weights("feed-forward blocks", weights.dense(), sharers);
        weights("routed experts", weights.experts(), expertSharers);
        weights(weights.isTied() ? "embedding, also as head" : "embedding", weights.embedding(), sharers);
        if (!weights.isTied()) {
            weights("head", weights.head(), sharers);
        }
    }

    private void weights(String what, WeightParts.Part part, double sharers) {
        if (part.elements() > 0) {
            String how = FixedText.of(part.elements() / MILLION, 0) + " M numbers x "
                    + FixedText.of(BITS * part.bytes() / part.elements(), 2) + " bits" + shared(sharers);
            add(MemoryTerm.MemoryPart.WEIGHTS, what, how, candidate.fullestStage() * part.bytes() / sharers);
        }
    }

    /// Adds the encoder of images, if it is not counted with the weights.
    void images(double sharers) {
        double bytes = candidate.request().images().bytes();
        if (bytes > 0) {
            add(MemoryTerm.MemoryPart.WORKSPACE, "image encoder", "16 bits" + shared(sharers), bytes / sharers);
        }
    }

    /// Adds the KV cache.
    ///
    /// @param sequences number of sequences of a device
    /// @param bytes bytes of one key or value
    /// @param sharers devices that share those of one sequence
    void cache(int sequences, int bytes, double sharers) {
        double kept = candidate.shape().keptTokens(candidate.request().tokens());
        double all = candidate.shape().keptNumbers(candidate.request().tokens());
        double numbers = all / Math.max(1, kept);
        String how = sequences + " x " + FixedText.of(kept, 0) + " layer-tokens x " + FixedText.of(numbers, 0)
                + " numbers x " + bytes + " bytes" + shared(sharers);
        add(
                MemoryTerm.MemoryPart.CACHE,
                "KV cache",
                how,
                candidate.fullestStage() * (sequences * all * bytes) / sharers);
    }

    /// Adds states of layers that keep one instead of a KV cache.
    ///
    /// @param sequences number of sequences of a device
    /// @param sharers devices that share those of one sequence
    void states(int sequences, double sharers) {
        double layers = candidate.shape().stateLayers();
        double bytes = candidate.shape().layerState();
        if (layers * bytes > 0) {
            String how = sequences + " x " + FixedText.of(layers, 0) + " layers x " + FixedText.of(bytes / MILLION, 2)
                    + " MB" + shared(sharers);
            add(
                    MemoryTerm.MemoryPart.CACHE,
                    "states",
                    how,
                    candidate.fullestStage() * sequences * layers * bytes / sharers);
        }
    }

    private String shared(double sharers) {
        String fullest = candidate.fullestStage() > 1
                ? " x " + FixedText.of(candidate.fullestStage(), 3) + " for the fullest stage"
                : "";
        return (sharers > 1 ? " / " + FixedText.of(sharers, 0) + " devices" : "") + fullest;
    }

    void add(MemoryTerm.MemoryPart part, String what, String how, double bytes) {
        terms.add(new MemoryTerm(part, what, how, bytes));
    }

    List<MemoryTerm> list() {
        return List.copyOf(terms);
    }
}
