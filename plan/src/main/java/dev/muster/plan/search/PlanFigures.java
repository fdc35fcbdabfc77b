package dev.muster.plan.search;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.accuracy.ErrorInterval;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.time.StepTime;

/// The figures of one layout, for any number of copies.
///
/// @param model memory and time of one copy
/// @param software the engine
/// @param request what is asked
/// @param intervals how far predictions may be off
/// @param firstToken seconds until the first token of one prompt on an idle copy
/// @param promptWork seconds that a copy spends on a prompt when others run too
/// @param promptActivity the part of it that draws power
record PlanFigures(
        LayoutModel model,
        ServingSoftware software,
        ServingRequest request,
        PredictionIntervals intervals,
        double firstToken,
        double promptWork,
        double promptActivity) {
    private static final Provenance PREDICTED =
            Provenance.of("cost model", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);

    static PlanFigures of(
            LayoutModel model, ServingSoftware software, ServingRequest request, PredictionIntervals intervals) {
        return new PlanFigures(
                model,
                software,
                request,
                intervals,
                model.firstToken(StepLedger.NONE).seconds(),
                model.promptWork(),
                model.promptActivity());
    }

    ServingPlan plan(int copies, DevicePool pool, RentalOffers.OfDevice offers) {
        int sequences = Math.ceilDiv(request.concurrency(), copies);
        StepTime step = model.step(sequences, StepLedger.NONE);
        // The prompt gives the first token, and steps the others.
        int more = request.output() - 1;
        double perSequence = promptWork + more * model.tokenWork(sequences);
        double busy = (double) copies * request.output() / perSequence;
        double running = (double) request.concurrency() * request.output() / (firstToken + more * step.seconds());
        double rate = Math.min(busy, running);
        double queued = firstToken + (sequences - 1) / 2.0 * promptWork;
        Reading<Rental> rental = offers.cheapest(copies, model.layout().devices());
        double dollars = rental.find().map(Rental::usdPerHour).orElse(0.0);
        ErrorInterval speed = intervals.speed(model, sequences);
        Estimate tokensPerSecond = Estimate.of(rate, speed);
        return new ServingPlan(
                pool,
                software,
                model.layout(),
                copies,
                model.memory(sequences),
                Estimate.of(firstToken, intervals.firstToken(model)),
                Estimate.of(queued, intervals.firstToken(model)),
                Estimate.of(step.seconds(), speed.inverse()),
                tokensPerSecond,
                step,
                model.isMeasured(),
                rental,
                joules(pool.device().power(), copies, sequences, rate, speed),
                request.limits().breaches(queued, step.seconds(), dollars));
    }

    /// The devices of a copy idle or work for as long as one of its sequences takes its turn.
    private Reading<Estimate> joules(double watts, int copies, int sequences, double rate, ErrorInterval speed) {
        if (watts == 0) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the data sheet does not say how much power it draws");
        }
        double turn = copies * request.output() / rate;
        double active = promptActivity + (request.output() - 1) * model.tokenActivity(sequences);
        double each = PowerDraw.ofLimit(watts).joules(turn, active);
        double perToken = model.layout().devices() * each / request.output();
        return Reading.known(Estimate.of(perToken, speed.inverse()), PREDICTED);
    }
}
