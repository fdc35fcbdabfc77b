// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.Reading;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.StepTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// One way to serve a model.
///
/// @param request the request
/// @param pool the devices
/// @param software the engine
/// @param layout layout of one replica on devices
/// @param replicas number of replicas
/// @param memory memory of each device
/// @param timeToFirstToken seconds until the first token, on an idle replica
/// @param timeToFirstTokenQueued seconds until the first token, averaged over sequences that all arrive together
/// @param timePerOutputToken seconds between tokens with all sequences running: latency without the first token,
/// divided by the tokens behind it
/// @param tokensPerSecond output tokens per second of all replicas
/// @param step parts of the time between tokens
/// @param isMeasured true if the engine was measured on such devices; otherwise intervals are twice as wide
/// @param rental the cheapest machines that have these devices, on demand; unknown if no price is known
/// @param joulesPerToken energy of the devices, hosts left out; unknown if the data sheet has no power
/// @param breaches limits that it exceeds
/// @since 0.1
public record ServingPlan(
        ServingRequest request,
        DevicePool pool,
        ServingEngine software,
        Parallelism layout,
        int replicas,
        DeviceMemoryUse memory,
        Estimate timeToFirstToken,
        Estimate timeToFirstTokenQueued,
        Estimate timePerOutputToken,
        Estimate tokensPerSecond,
        StepTime step,
        boolean isMeasured,
        Reading<Rental> rental,
        Reading<Estimate> joulesPerToken,
        List<ServingRequest.Breach> breaches) {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double MILLION = 1e6;

    /// Copies the breaches.
    public ServingPlan {
        breaches = List.copyOf(breaches);
    }

    /// Returns a copy with other predictions: those that measured runs corrected. Limits are compared with them.
    public ServingPlan withPredicted(
            Estimate firstToken, Estimate firstTokenQueued, Estimate outputToken, Estimate rate) {
        double dollars = rental.find().map(Rental::usdPerHour).orElse(0.0);
        return new ServingPlan(
                request,
                pool,
                software,
                layout,
                replicas,
                memory,
                firstToken,
                firstTokenQueued,
                outputToken,
                rate,
                step,
                isMeasured,
                rental,
                joulesPerToken,
                request.breaches(firstTokenQueued.p50(), outputToken.p50(), dollars));
    }

    /// Returns a copy on rented machines that generates so many tokens per second under a load.
    public ServingPlan withRental(Reading<Rental> machines, Estimate rate) {
        return new ServingPlan(
                request,
                pool,
                software,
                layout,
                replicas,
                memory,
                timeToFirstToken,
                timeToFirstTokenQueued,
                timePerOutputToken,
                rate,
                step,
                isMeasured,
                machines,
                joulesPerToken,
                breaches);
    }

    /// Reports whether it fits and keeps all limits.
    public boolean isAccepted() {
        return memory.fits() && breaches.isEmpty();
    }

    /// Returns the reason why it does not meet the request; for plans that are not accepted.
    public Shortfall shortfall() {
        return memory.fits()
                ? Shortfall.of(Cause.LIMITS_EXCEEDED, pool.count(), pool.name(), breaches)
                : Shortfall.of(Cause.DOES_NOT_FIT, pool.count(), pool.name(), memory.total(), memory.capacity());
    }

    /// Returns the US dollars for a million output tokens, with all sequences running all the time.
    public Reading<Estimate> usdPerMillionTokens() {
        return rental.map(machines -> tokensPerSecond.dividing(machines.usdPerHour() / SECONDS_PER_HOUR * MILLION));
    }

    /// Returns the seconds from a request to its last token, if all sequences arrive together.
    ///
    /// @param output tokens of the answer
    public double latency(int output) {
        return timeToFirstTokenQueued.p50() + (output - 1) * timePerOutputToken.p50();
    }

    /// Returns the number of devices in use.
    public int devices() {
        return replicas * layout.devices();
    }

    /// Returns the number of unused devices.
    public int idle() {
        return pool.count() - devices();
    }

    /// Returns the Pareto front of plans in tokens per second, time per token, devices and price; the fastest first.
    public static List<ServingPlan> front(List<ServingPlan> plans) {
        return ParetoFront.of(plans);
    }

    /// Returns the order of plans: those that fit and keep the limits first, then those that fit; then the goal; then
    /// fewer devices, stages and sharers.
    public static Comparator<ServingPlan> order(ServingGoal goal) {
        return (one, other) -> Arrays.compare(rank(one, goal), rank(other, goal));
    }

    private static double[] rank(ServingPlan plan, ServingGoal goal) {
        double loss = switch (goal) {
            case THROUGHPUT -> -plan.tokensPerSecond().p50();
            case LATENCY -> plan.timePerOutputToken().p50();
            case DEVICES -> plan.devices();
            case MEMORY -> plan.memory().total();
            case COST -> middle(plan.usdPerMillionTokens());
            case ENERGY -> middle(plan.joulesPerToken());
        };
        return new double[] {
            plan.memory().fits() ? 0 : 1,
            shortage(plan),
            loss,
            plan.timePerOutputToken().p50(),
            plan.devices(),
            plan.layout().pp(),
            plan.layout().tp()
        };
    }

    /// Returns the distance of a plan from an accepted one: 0 for one that is.
    private static double shortage(ServingPlan plan) {
        if (!plan.memory().fits()) {
            return plan.memory().total() / plan.memory().capacity();
        }
        double shortage = 0;
        for (ServingRequest.Breach breach : plan.breaches()) {
            shortage = Math.max(shortage, breach.excess());
        }
        return shortage;
    }

    /// Returns the median; unknown ones sort last.
    private static double middle(Reading<Estimate> estimate) {
        return estimate.find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY);
    }

    /// Returns the devices in use, of one host if it is counted several times.
    public List<PlannedDevice> members() {
        return pool.members().subList(0, Math.min(devices(), pool.members().size()));
    }

    /// Returns the mesh of its devices: the sizes of its axes, the outermost first. Devices with data parallel
    /// attention share experts
    /// alone.
    public SequencedMap<String, Integer> mesh() {
        boolean sharesExperts = layout.attentionDp() > 1;
        SequencedMap<String, Integer> axes = new LinkedHashMap<>();
        axes.put("dp", replicas);
        axes.put("pp", layout.pp());
        axes.put(sharesExperts ? "ep" : "tp", sharesExperts ? layout.ep() : layout.tp());
        return Collections.unmodifiableSequencedMap(axes);
    }
}
