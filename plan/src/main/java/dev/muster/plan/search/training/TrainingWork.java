// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Roofline;
import dev.muster.plan.cost.RuledOut;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.search.CallList;
import dev.muster.plan.search.TermList;
import dev.muster.plan.search.UsedCoefficients;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.TrainingRates;
import dev.muster.plan.time.TrainingShape;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;

/// The explanation of a plan, computed again, and the work of each of its devices for a token: useful operations,
/// bytes and the predicted time. Bytes are the weights, which every pass of a micro-batch reads, and what the model
/// of time says that only moves bytes; what products read and write of activations beside is not counted.
public final class TrainingWork {
    /// Weights are read in 16 bits where they are trained.
    private static final double WEIGHT_BYTES = 2;

    private final TrainingPlan plan;
    private final TrainingRequest request;
    private final TrainingShape shape;
    private final TrainingLoad load;
    /// Numbers of all routed experts.
    private final double experts;

    private TrainingWork(TrainingPlan plan, TrainingRequest request, TrainingShape shape, ModelShape model) {
        this.plan = plan;
        this.request = request;
        this.shape = shape;
        this.load = TrainingLoad.of(request.method(), model, request.rank());
        this.experts =
                model.expertLayers() > 0 ? shape.activeExpertElements() * model.experts() / model.activeExperts() : 0;
    }

    /// Returns the explanation of a plan that a search with these coefficients found.
    public static TrainingExplanation explain(TrainingPlan plan, CoefficientTable table) {
        TrainingRequest request = plan.request();
        Terms terms = Terms.of(plan, table);
        TrainingWork work = new TrainingWork(
                plan,
                request,
                TrainingShape.of(request.architecture()).orElseThrow(),
                ModelShape.of(request.architecture()).orElseThrow());
        return new TrainingExplanation(
                terms.memory(),
                terms.step(),
                UsedCoefficients.of(table, coefficients -> Terms.of(plan, coefficients)),
                work.roofline(),
                work.products(),
                work.step(),
                ruledOut(plan, table));
    }

    /// The terms of memory and time, the largest first.
    private record Terms(List<MemoryTerm> memory, List<StepTerm> step) {
        static Terms of(TrainingPlan plan, Coefficients coefficients) {
            TrainingCost cost = cost(plan, coefficients);
            TermList step = TermList.create();
            cost.explain(plan.run(), step);
            return new Terms(cost.memoryTerms(plan.run()), step.largestFirst());
        }
    }

    /// Returns the communication of a plan's ranks in a step.
    public static StepCommunication communication(TrainingPlan plan, CoefficientTable table) {
        TrainingRun run = plan.run();
        TrainingCost cost = cost(plan, table);
        CallList calls = new CallList();
        cost.explain(run, calls);
        return calls.of(cost.time(run).seconds() * run.globalBatch() * run.sequence() / run.devices());
    }

    /// Returns the cost of a plan; limits do not change it, and without prices a budget could not be kept.
    private static TrainingCost cost(TrainingPlan plan, Coefficients coefficients) {
        return TrainingSearch.of(coefficients)
                .problem(plan.request().withLimits(TrainingLimits.NONE), plan.cluster(), plan.software())
                .find()
                .orElseThrow(() -> new IllegalArgumentException("nothing can be planned for such a request"))
                .cost();
    }

    /// Returns the best run without rules, where a rule excludes it.
    private static List<RuledOut> ruledOut(TrainingPlan plan, CoefficientTable table) {
        return TrainingSearch.of(table)
                .problem(plan.request(), plan.cluster(), plan.software())
                .find()
                .flatMap(problem -> problem.findUnruled()
                        .flatMap(best -> problem.findBroken(best.run())
                                .map(broken -> new RuledOut(
                                        display(best.run()),
                                        broken.engine() + " " + broken.release(),
                                        broken.sentence(),
                                        broken.source()))))
                .stream()
                .toList();
    }

    private static String display(TrainingRun run) {
        return "TP " + (int) run.tp() + " x PP " + (int) run.pp() + " x CP " + (int) run.cp() + " x DP "
                + (int) run.replicas() + ", EP " + (int) run.ep();
    }

    /// Returns the roofs of the device, with the one that products use.
    private Roofline roofline() {
        DeviceFigures device = device();
        boolean isEager = plan.software() == TrainingFramework.PYTORCH;
        return Roofline.of(device, isEager ? device.half() : TrainingRates.peak(request.precision(), device));
    }

    /// Returns products of matrices alone, those of experts included.
    private Roofline.RooflinePoint products() {
        TrainingTime time = plan.time();
        double elements = shape.denseElements() + shape.headElements() + shape.activeExpertElements();
        return new Roofline.RooflinePoint(2 * passes() * elements, moved(), time.products() + time.experts());
    }

    /// Returns the whole step, with attention, the optimizer and all waiting.
    private Roofline.RooflinePoint step() {
        double seconds = plan.devices() / plan.tokensPerSecond().p50();
        double useful = plan.utilization() * device().half() * seconds;
        double optimizer = plan.time().optimizer() * device().bandwidth();
        return new Roofline.RooflinePoint(useful, moved() + optimizer, seconds);
    }

    private DeviceFigures device() {
        return plan.cluster().pool().device();
    }

    private double passes() {
        return load.passes() * (load.isAdapter() ? 2 : 3);
    }

    /// Returns the bytes of each token, over all devices of a replica. Devices of an expert parallel group work on
    /// tokens of all of them with one look at the weights.
    private double moved() {
        TrainingRun run = plan.run();
        double each = load.isAdapter() ? load.frozenBytes() : WEIGHT_BYTES;
        double together = Math.max(1, run.ep() / (run.tp() * run.cp()));
        double numbers = shape.parameters() - experts + experts / together;
        double weights = passes() * each * numbers / (run.microBatch() * run.sequence());
        return weights + plan.time().traffic() * device().bandwidth();
    }
}
