// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.StepLedger;
import java.util.Optional;

/// The figures of one layout, for any number of replicas.
///
/// @param model memory and time of one replica
/// @param software the engine
/// @param request the request
/// @param intervals intervals of predictions
/// @param timeToFirstToken seconds until the first token of one prompt on an idle replica
/// @param prefillWork seconds that a replica spends on a prompt when others run too
/// @param prefillActivity the part of it that draws power
public record PlanFigures(
        LayoutModel model,
        ServingEngine software,
        ServingRequest request,
        PredictionIntervals intervals,
        double timeToFirstToken,
        double prefillWork,
        double prefillActivity) {
    private static final Provenance PREDICTED =
            Provenance.of("cost model", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);

    public static PlanFigures of(
            LayoutModel model, ServingEngine software, ServingRequest request, PredictionIntervals intervals) {
        return new PlanFigures(
                model,
                software,
                request,
                intervals,
                model.timeToFirstToken(StepLedger.NONE).seconds(),
                model.prefillWork(),
                model.prefillActivity());
    }

    public ServingPlan plan(int replicas, DevicePool pool, RentalOffers.OfDevice offers) {
        int sequences = Math.ceilDiv(request.concurrency(), replicas);
        StepTime step = model.step(sequences, StepLedger.NONE);
        // The prompt gives the first token, and steps the others.
        int more = request.output() - 1;
        double perSequence = prefillWork + more * model.decodeWork(sequences);
        double busy = (double) replicas * request.output() / perSequence;
        // While a sequence decodes, each of the others has its next prompt processed once.
        double others = (sequences - 1) * prefillWork / request.output();
        double perToken = step.seconds() + others;
        double running = (double) request.concurrency() * request.output() / (timeToFirstToken + more * perToken);
        double rate = Math.min(busy, running);
        double queued = timeToFirstToken + (sequences - 1) / 2.0 * prefillWork;
        Reading<Rental> rental = offers.cheapest(replicas, model.layout().devices());
        double dollars = rental.find().map(Rental::usdPerHour).orElse(0.0);
        ErrorInterval speed = intervals.speed(model, sequences);
        Estimate tokensPerSecond = Estimate.of(rate, speed);
        return new ServingPlan(
                request,
                pool,
                software,
                model.layout(),
                replicas,
                model.memory(sequences, request.tokens()),
                Estimate.of(timeToFirstToken, intervals.timeToFirstToken(model)),
                Estimate.of(queued, intervals.timeToFirstToken(model)),
                Estimate.of(perToken, speed.inverse()),
                tokensPerSecond,
                step,
                intervals.isMeasured(model),
                rental,
                joules(pool.device(), replicas, sequences, rate, speed),
                request.breaches(queued, perToken, dollars));
    }

    /// Returns the energy of a replica's devices, which idle or work for as long as one of its sequences has its
    /// turn.
    private Reading<Estimate> joules(
            DeviceFigures device, int replicas, int sequences, double rate, ErrorInterval speed) {
        Optional<Double> watts = device.power();
        if (watts.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the data sheet does not say how much power it draws");
        }
        double turn = replicas * request.output() / rate;
        double active = prefillActivity + (request.output() - 1) * model.decodeActivity(sequences);
        double each = PowerDraw.ofLimit(watts.get()).joules(turn, active);
        double timePerOutputToken = model.layout().devices() * each / request.output();
        return Reading.known(Estimate.of(timePerOutputToken, speed.inverse()), PREDICTED);
    }
}
