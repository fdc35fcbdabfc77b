// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Interruption;
import java.util.ArrayList;
import java.util.Comparator;
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
    /// Tenths of milliseconds.
    private static final double PER_SECOND = 1e4;

    List<Remedy> remedies() {
        List<Remedy> remedies = new ArrayList<>();
        limits(remedies);
        prompt().ifPresent(tokens -> remedies.add(new Remedy.Change("inputTokens", tokens, request.input())));
        sequences().ifPresent(count -> remedies.add(new Remedy.Change("concurrency", count, request.concurrency())));
        format().ifPresent(format -> remedies.add(new Remedy.Change("formats", format, request.format())));
        devices().ifPresent(count -> remedies.add(new Remedy.MoreDevices(count, pool.count())));
        machine()
                .ifPresent(offer -> remedies.add(new Remedy.RentedMachine(
                        RentalOffers.rental(offer, 1, search.rentals().today()))));
        return remedies;
    }

    /// Adds each limit separately: the least value that works, with the others kept.
    private void limits(List<Remedy> remedies) {
        for (ServingRequest.Limit limit : ServingRequest.Limit.values()) {
            tried.stream()
                    .filter(plan -> plan.memory().fits())
                    .filter(plan -> plan.breaches().size() == 1
                            && plan.breaches().getFirst().limit() == limit)
                    .map(plan -> plan.breaches().getFirst())
                    .min(Comparator.comparingDouble(ServingRequest.Breach::predicted))
                    .ifPresent(least -> remedies.add(change(least)));
        }
    }

    /// Returns a limit that the plan keeps, rounded up.
    private static Remedy change(ServingRequest.Breach least) {
        return switch (least.limit()) {
            case TTFT -> new Remedy.Change("maxTtftSeconds", roundedUp(least.predicted(), PER_SECOND), least.allowed());
            case TPOT -> new Remedy.Change("maxTpotSeconds", roundedUp(least.predicted(), PER_SECOND), least.allowed());
            case USD_PER_HOUR ->
                new Remedy.Change("budgetUsdPerHour", roundedUp(least.predicted(), CENTS), least.allowed());
        };
    }

    private static double roundedUp(double value, double parts) {
        return Math.ceil(value * parts) / parts;
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
