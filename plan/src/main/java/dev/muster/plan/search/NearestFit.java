// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.text.FixedText;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLimits;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Interruption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// Remedies if no plan meets a request: fewer tokens, fewer sequences, fewer bits, more devices, looser limits, or
/// another machine for rent.
///
/// @param tried plans of the request, none of which is accepted
record NearestFit(
        ServingSearch search,
        ServingRequest request,
        DevicePool pool,
        ServingEngine software,
        List<ServingPlan> tried) {
    private static final List<WeightFormat> FORMATS = List.of(StandardFormat.FP8, StandardFormat.AWQ_INT4);
    private static final List<WeightFormat> GGUF_FORMATS = List.of(
            GgufFormat.Q8_0, GgufFormat.Q6_K, GgufFormat.Q5_K_M, GgufFormat.Q4_K_M, GgufFormat.Q3_K_M, GgufFormat.Q2_K);
    private static final int MAX_DEVICES = 64;
    private static final double CENTS = 100;
    private static final double TENTHS_OF_MILLISECONDS = 1e4;

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        limits(sentences);
        prompt().ifPresent(tokens -> sentences.add("prompts of " + tokens + " tokens instead of " + request.input()));
        sequences()
                .ifPresent(count -> sentences.add(count + (count == 1 ? " sequence" : " sequences")
                        + " at once instead of " + request.concurrency()));
        format().ifPresent(format -> sentences.add("weights as " + format.label() + " instead of "
                + request.format().label()));
        devices().ifPresent(count -> sentences.add(count + " devices of this kind instead of " + pool.count()));
        machine().ifPresent(offer -> sentences.add(describe(offer)));
        return sentences;
    }

    /// Adds each limit separately: the least value that works, with the others kept.
    private void limits(List<String> sentences) {
        for (ServingLimits.Kind limit : ServingLimits.Kind.values()) {
            tried.stream()
                    .filter(plan -> plan.memory().fits())
                    .filter(plan -> plan.breaches().size() == 1
                            && plan.breaches().getFirst().limit() == limit)
                    .mapToDouble(plan -> plan.breaches().getFirst().predicted())
                    .min()
                    .ifPresent(least -> sentences.add(describe(limit, least)));
        }
    }

    private static String describe(ServingLimits.Kind limit, double least) {
        return switch (limit) {
            case TIME_TO_FIRST_TOKEN -> "a first token within " + milliseconds(least);
            case TIME_PER_OUTPUT_TOKEN -> milliseconds(least) + " per token";
            case USD_PER_HOUR -> FixedText.of(Math.ceil(least * CENTS) / CENTS, 2) + " USD an hour";
        };
    }

    /// Returns milliseconds, rounded up, so that the limit works.
    private static String milliseconds(double seconds) {
        double tenths = Math.ceil(seconds * TENTHS_OF_MILLISECONDS);
        return FixedText.of(tenths / 10, 1) + " ms";
    }

    /// Returns the cheapest sufficient machine for rent.
    private Optional<InstanceOffer> machine() {
        for (RentalOffers.Machine machine : search.rentals().machines()) {
            ServingEngine engine = software == ServingEngine.LLAMA_CPP
                    ? software
                    : ServingEngine.usual(machine.pool().device().family());
            if (search.fits(request, machine.pool(), engine)) {
                return Optional.of(machine.offer());
            }
        }
        return Optional.empty();
    }

    private String describe(InstanceOffer offer) {
        return offer.instance() + " of " + offer.provider().display() + " (" + offer.count() + " x "
                + offer.accelerator() + ") for "
                + FixedText.of(offer.onDemand().amount(), 2)
                + " USD an hour, a price "
                + RentalOffers.rental(offer, 1, search.rentals().today()).priceAge();
    }

    private Optional<Integer> prompt() {
        return largestThatFits(request.input() - 1, request::withInput);
    }

    private Optional<Integer> sequences() {
        return largestThatFits(request.concurrency() - 1, request::withConcurrency);
    }

    private Optional<Integer> largestThatFits(int most, IntFunction<ServingRequest> with) {
        int largest = LargestFit.largest(0, most, count -> search.fits(with.apply(count), pool, software));
        return largest == 0 ? Optional.empty() : Optional.of(largest);
    }

    private Optional<WeightFormat> format() {
        for (WeightFormat format : software == ServingEngine.LLAMA_CPP ? GGUF_FORMATS : FORMATS) {
            if (search.fits(request.withFormat(format), pool, software)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    private Optional<Integer> devices() {
        for (int count = pool.count() + 1; count <= MAX_DEVICES; count++) {
            Interruption.check();
            if (search.fits(request, pool.withCount(count), software)) {
                return Optional.of(count);
            }
        }
        return Optional.empty();
    }
}
