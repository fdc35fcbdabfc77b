// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.HostMemory;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.search.HostRate;
import dev.muster.plan.search.MixedSearch;
import dev.muster.plan.search.PlannedDevices;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Plans of llama.cpp where cards are of several kinds, or the host may hold a part of the model.
record SplitPlanner(Planner planner, PlannedDevices devices) {
    private static final Set<DeviceFamily> SHARED =
            Set.of(DeviceFamily.NVIDIA_SHARED, DeviceFamily.APPLE, DeviceFamily.CPU);
    /// The tolerance between sums over layers and sums over the whole model.
    private static final double ROUNDING = 1e-6;

    /// Splits that are better than the best plan on devices of one kind, or that fit where none does; the best first.
    /// Held to the same limits; a budget rules them out, for no such mixture is for rent.
    ///
    /// @param best the best on devices of one kind
    List<MixedPlan> find(ServingOutcome best, ServingChoices choices, List<WeightFormat> formats) {
        List<PlannedDevice> all = devices.devices();
        boolean isSliced = devices.pools().stream().anyMatch(DevicePool::isSliced);
        boolean isMixed = devices.pools().size() > 1 && !isSliced;
        boolean isHelped = choices.offload()
                && all.stream().noneMatch(one -> SHARED.contains(one.figures().family()));
        if (!isLlamaCpp(choices, formats, all)
                || best.request().kvBits() == Byte.SIZE
                || all.isEmpty()
                || !(isMixed || isHelped)
                || planner.machines.hosts() * HostLinks.machines(planner.machines.registry()) > 1) {
            return List.of();
        }
        List<MixedPlan> plans = MixedSearch.of(CoefficientTable.builtIn())
                .find(best.request(), all, isHelped ? host() : HostMemory.NONE)
                .find()
                .orElse(List.of());
        return plans.isEmpty() || !isBetter(plans.getFirst(), best.answer(), best.request()) ? List.of() : plans;
    }

    /// Returns the reason why nothing can be offloaded to the host although that is allowed.
    Optional<PlanNote> findObstacle(ServingChoices choices) {
        if (!choices.offload()) {
            return Optional.empty();
        }
        return devices.devices().stream()
                .filter(one -> SHARED.contains(one.figures().family()))
                .findFirst()
                .map(one -> PlanNote.of(Topic.NO_OWN_MEMORY, one.name()))
                .or(() -> HostRate.usableBytes(planner.machines.registry()).isPresent()
                        ? assumedRate()
                        : Optional.of(PlanNote.of(Topic.UNKNOWN_HOST_MEMORY)));
    }

    private Optional<PlanNote> assumedRate() {
        HostRate rate = HostRate.of(planner.machines.registry(), planner.rates.rates(), planner.rates.hostBandwidth());
        return rate.isAssumed()
                ? Optional.of(PlanNote.of(Topic.HOST_MEMORY_RATE, rate.bytesPerSecond()))
                : Optional.empty();
    }

    private static boolean isLlamaCpp(ServingChoices choices, List<WeightFormat> formats, List<PlannedDevice> devices) {
        boolean isAsked = choices.offload()
                || choices.engine().filter(ServingEngine.LLAMA_CPP::equals).isPresent()
                || (choices.engine().isEmpty() && formats.stream().allMatch(GgufFormat.class::isInstance));
        return isAsked
                || (choices.engine().isEmpty()
                        && devices.stream()
                                .allMatch(
                                        one -> ServingEngine.usual(one.figures().family()) == ServingEngine.LLAMA_CPP));
    }

    private HostMemory host() {
        HostRate rate = HostRate.of(planner.machines.registry(), planner.rates.rates(), planner.rates.hostBandwidth());
        return HostRate.usableBytes(planner.machines.registry())
                .map(bytes -> new HostMemory(bytes, rate.bytesPerSecond(), rate.basis()))
                .orElse(HostMemory.NONE);
    }

    private static boolean isBetter(MixedPlan plan, PlanAnswer<ServingPlan> answer, ServingRequest request) {
        boolean keeps = request.breaches(
                        plan.timeToFirstToken().p50(), plan.timePerOutputToken().p50(), 0)
                .isEmpty();
        if (!keeps || request.hasBudget()) {
            return false;
        }
        return switch (answer) {
            case PlanAnswer.Infeasible<ServingPlan> _, PlanAnswer.Unanswered<ServingPlan> _ -> true;
            case PlanAnswer.Feasible<ServingPlan> found ->
                switch (request.goal()) {
                    case THROUGHPUT ->
                        plan.tokensPerSecond().p50()
                                > found.best().tokensPerSecond().p50() * (1 + ROUNDING);
                    case LATENCY ->
                        plan.timePerOutputToken().p50()
                                < found.best().timePerOutputToken().p50() * (1 - ROUNDING);
                    case DEVICES -> plan.devices() < found.best().devices();
                    case MEMORY -> fullest(plan) < found.best().memory().total();
                    // No such mixture is for rent, and what it draws was never measured.
                    case COST, ENERGY -> false;
                };
        };
    }

    private static double fullest(MixedPlan plan) {
        return plan.placements().stream()
                .filter(placement -> !placement.isHost())
                .mapToDouble(placement -> placement.memory().total())
                .max()
                .orElse(0);
    }
}
