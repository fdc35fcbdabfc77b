// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.Reading;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.answer.DeviceMemoryUse;
import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.answer.Estimate;
import dev.muster.plan.answer.PlannedDevice;
import dev.muster.plan.answer.Rental;
import dev.muster.plan.cost.MeshAxis;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.cost.StepTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// One way to serve a model.
///
/// @param request what was asked
/// @param pool the devices that there are
/// @param software the engine
/// @param layout how one replica of the model lies on devices
/// @param replicas how many replicas run beside each other
/// @param memory what each device holds
/// @param timeToFirstToken seconds until the first token, on an idle replica
/// @param timeToFirstTokenQueued seconds until the first token, averaged over sequences that all arrive
///     together
/// @param timePerOutputToken seconds between tokens with all sequences running: latency without the first token,
///     divided by the tokens behind it
/// @param tokensPerSecond output tokens per second of all replicas
/// @param step where the time between tokens goes
/// @param isMeasured whether the engine was measured on such devices; where not, intervals are twice as wide
/// @param rental the cheapest machines that have these devices, on demand; unknown where no price is known
///     them
/// @param joulesPerToken energy of the devices, hosts left out; unknown where the data sheet has no
///     power
/// @param breaches limits that it does not keep
/// @since 0.1
public record ServingPlan(
        ServingRequest request,
        DevicePool pool,
        ServingEngine software,
        StepLayout layout,
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
        List<ServingLimits.Breach> breaches) {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double MILLION = 1e6;

    /// Copies the breaches.
    public ServingPlan {
        breaches = List.copyOf(breaches);
    }

    /// The same with other predictions: those that measured runs corrected. Limits are held against them.
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
                request.limits().breaches(firstTokenQueued.p50(), outputToken.p50(), dollars));
    }

    /// Whether it fits and keeps all limits.
    public boolean isAccepted() {
        return memory.fits() && breaches.isEmpty();
    }

    /// Why it does not do what was asked, in a sentence; for plans that are not accepted.
    public String shortfall() {
        String devices = pool.count() + " x " + pool.name();
        if (!memory.fits()) {
            return "it does not fit on " + devices + ": " + size(memory.total())
                    + " are needed on each device that has " + size(memory.capacity());
        }
        List<String> beyond = new ArrayList<>();
        for (ServingLimits.Breach breach : breaches) {
            beyond.add(breach.sentence());
        }
        return "it fits on " + devices + ", but not within the limits: " + String.join(", ", beyond);
    }

    private static String size(double bytes) {
        return FixedText.of(Bytes.of(Math.round(bytes)));
    }

    /// Dollars of the United States for a million output tokens, with all sequences running all the
    /// time.
    public Reading<Estimate> usdPerMillionTokens() {
        return rental.map(machines -> tokensPerSecond.dividing(machines.usdPerHour() / SECONDS_PER_HOUR * MILLION));
    }

    /// Seconds from a request to its last token, where all sequences arrive together.
    ///
    /// @param output tokens of the answer
    public double latency(int output) {
        return timeToFirstTokenQueued.p50() + (output - 1) * timePerOutputToken.p50();
    }

    /// Devices that do something.
    public int devices() {
        return replicas * layout.devices();
    }

    /// Devices that are left over.
    public int idle() {
        return pool.count() - devices();
    }

    /// Plans of several that nothing beats in tokens per second, time per token, devices and price; the fastest first.
    public static List<ServingPlan> front(List<ServingPlan> plans) {
        return ParetoFront.of(plans);
    }

    /// What fits and keeps the limits stands first, then what fits; then the goal; then fewer devices, stages and
    /// sharers.
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
            plan.layout().stages(),
            plan.layout().tensor()
        };
    }

    /// How far a plan is from one that is accepted: 0 for one that is.
    private static double shortage(ServingPlan plan) {
        if (!plan.memory().fits()) {
            return plan.memory().total() / plan.memory().capacity();
        }
        double shortage = 0;
        for (ServingLimits.Breach breach : plan.breaches()) {
            shortage = Math.max(shortage, breach.excess());
        }
        return shortage;
    }

    /// What is not known stands behind what is.
    private static double middle(Reading<Estimate> estimate) {
        return estimate.find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY);
    }

    /// The devices that do something, of one machine where it is counted several times.
    public List<PlannedDevice> members() {
        return pool.members().subList(0, Math.min(devices(), pool.members().size()));
    }

    /// The mesh of its devices, the outermost axis first. Devices that attend to sequences of their own share experts
    /// alone.
    public List<MeshAxis> mesh() {
        return List.of(
                new MeshAxis("dp", replicas),
                new MeshAxis("pp", layout.stages()),
                layout.attentionReplicas() > 1
                        ? new MeshAxis("ep", layout.expert())
                        : new MeshAxis("tp", layout.tensor()));
    }
}
