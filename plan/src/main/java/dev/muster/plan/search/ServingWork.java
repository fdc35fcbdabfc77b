// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.model.ModelDimension;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.Roofline;
import dev.muster.plan.cost.RuledOut;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.WeightParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The explanation of a plan, computed again, and the work of each of its devices: operations, bytes and the
/// predicted time. Operations are two for each number of the weights that a token passes, and two for each number of
/// the KV cache that it looks at; bytes are the weights, as often as they are passed, and the KV cache.
public record ServingWork(ServingPlan plan, ServingRequest request, ModelShape shape, WeightParts weights) {
    /// The share of the memory for a KV cache that the longest context takes.
    private static final double CACHE_SHARE = 0.9;

    private static final int WHOLE_TOKENS = 1024;

    public static ServingExplanation explain(ServingPlan plan, CoefficientTable table) {
        ServingRequest request = plan.request();
        Candidate candidate = candidate(plan, table);
        Terms terms = Terms.of(plan, table);
        ServingWork work = new ServingWork(plan, request, candidate.shape(), candidate.weights());
        return new ServingExplanation(
                terms.memory(),
                terms.step(),
                terms.timeToFirstToken(),
                UsedCoefficients.of(table, coefficients -> Terms.of(plan, coefficients)),
                work.roofline(),
                work.decode(),
                work.prefill(),
                request.goal() == ServingGoal.COST ? List.of() : ruledOut(plan, candidate.shape(), table));
    }

    /// The terms of memory and times, the largest first.
    private record Terms(List<MemoryTerm> memory, List<StepTerm> step, List<StepTerm> timeToFirstToken) {
        static Terms of(ServingPlan plan, Coefficients coefficients) {
            LayoutModel model = model(plan, candidate(plan, coefficients));
            int sequences = Math.ceilDiv(plan.request().concurrency(), plan.replicas());
            TermList step = TermList.create();
            model.step(sequences, step);
            TermList timeToFirstToken = TermList.create();
            model.timeToFirstToken(timeToFirstToken);
            List<MemoryTerm> memory = new ArrayList<>(model.memoryTerms(sequences));
            memory.sort(Comparator.comparingDouble(MemoryTerm::bytes).reversed());
            return new Terms(memory, step.largestFirst(), timeToFirstToken.largestFirst());
        }
    }

    /// Returns the communication of a plan's ranks in a step: for one token of every sequence.
    public static StepCommunication communication(ServingPlan plan, CoefficientTable table) {
        CallList calls = new CallList();
        StepTime step = model(plan, candidate(plan, table))
                .step(Math.ceilDiv(plan.request().concurrency(), plan.replicas()), calls);
        return calls.of(step.seconds());
    }

    public static DeviceMemoryUse memory(ServingPlan plan, int sequences, int tokens) {
        return model(plan, candidate(plan, CoefficientTable.builtIn())).memory(sequences, tokens);
    }

    /// Returns the tokens of the longest sequences that the model allows and the memory of a replica permits, with a
    /// reserve for what estimates miss: in multiples of 1024 tokens, and at least the planned ones.
    ///
    /// @param sequences sequences of this length
    public static int longestContext(ServingPlan plan, int sequences) {
        LayoutModel model = model(plan, candidate(plan, CoefficientTable.builtIn()));
        int planned = plan.request().tokens();
        int most = (int) Math.min(
                Integer.MAX_VALUE / sequences,
                plan.request().architecture().find(ModelDimension.CONTEXT).orElse(planned));
        int fitting = LargestFit.largest(planned, most, tokens -> {
            DeviceMemoryUse use = model.memory(sequences, tokens);
            return use.weights() + use.workspace() + use.kvCache() / CACHE_SHARE <= use.capacity();
        });
        return fitting == most ? most : Math.max(planned, fitting / WHOLE_TOKENS * WHOLE_TOKENS);
    }

    private static Candidate candidate(ServingPlan plan, Coefficients coefficients) {
        ServingRequest request = plan.request();
        return new Candidate(
                request,
                ModelShape.of(request.architecture()).orElseThrow(),
                StoredWeights.of(request.architecture(), request.format())
                        .map(WeightParts::of)
                        .find()
                        .orElseThrow(),
                plan.pool().deviceIn(plan.layout()),
                plan.layout(),
                coefficients);
    }

    private static LayoutModel model(ServingPlan plan, Candidate candidate) {
        return ServingSearch.modelling(plan.request(), plan.pool(), plan.software(), candidate.coefficients())
                .apply(candidate);
    }

    /// Returns better layouts that the engine refuses, one for each rule.
    private static List<RuledOut> ruledOut(ServingPlan plan, ModelShape shape, CoefficientTable table) {
        ServingRequest request = plan.request();
        EngineRules rules = EngineRules.of(
                plan.software(),
                request.architecture(),
                request.format(),
                plan.pool().device());
        Map<String, RuledOut> found = new LinkedHashMap<>();
        for (ServingPlan other : ServingSearch.of(table).listRefused(plan)) {
            EngineRules.Broken broken = rules.findBroken(shape, other.layout()).orElseThrow();
            found.putIfAbsent(
                    broken.source(),
                    new RuledOut(
                            display(other),
                            broken.engine() + " " + broken.release(),
                            broken.sentence(),
                            broken.source()));
        }
        return List.copyOf(found.values());
    }

    private static String display(ServingPlan plan) {
        Parallelism layout = plan.layout();
        StringBuilder text = new StringBuilder("TP ").append(layout.tp());
        append(text, " x PP ", layout.pp());
        append(text, ", EP ", layout.ep());
        append(text, ", attention DP ", layout.attentionDp());
        append(text, " x DP ", plan.replicas());
        return text.toString();
    }

    private static void append(StringBuilder text, String what, int degree) {
        if (degree > 1) {
            text.append(what).append(degree);
        }
    }

    /// Returns the bytes of a number in the KV cache of a plan.
    public static int kvBytes(ServingPlan plan) {
        return Servable.kvBytes(plan.software(), plan.request(), plan.pool().device());
    }

    /// Returns the roofs of the device, with the one that products of this format and engine use.
    private Roofline roofline() {
        DeviceFigures device = plan.pool().device();
        double peak = isLlamaCpp()
                ? device.halfSums()
                : new ServingProfile(plan.software().label(), "", request.format(), device).peak();
        return Roofline.of(device, peak);
    }

    /// Returns one token of every sequence.
    private Roofline.RooflinePoint decode() {
        double sequences = sequences();
        double context = request.meanContext();
        double passes = isLlamaCpp() ? 1 : Math.min(plan.layout().pp(), Math.max(1, sequences));
        double numbers =
                shape.isLatent() ? shape.latentSize() + shape.latentRank() : shape.keySize() + shape.valueSize();
        double attention = 2 * sequences * shape.keptTokens(context) * shape.heads() * numbers;
        return point(sequences, 1, passes, attention, context, plan.step().seconds());
    }

    /// Returns the prompt of one sequence; of one for each group with data parallel attention.
    private Roofline.RooflinePoint prefill() {
        double tokens = request.input();
        double passes = isLlamaCpp() ? LlamaCppModel.microBatches(tokens) : 1;
        double attention = 2 * shape.attentionPairs(0, tokens) * shape.heads() * (shape.keySize() + shape.valueSize());
        return point(
                1, tokens, passes, attention, tokens, plan.timeToFirstToken().p50());
    }

    /// @param sequences sequences of an attention group
    /// @param tokens new tokens of each
    /// @param passes number of passes over the weights
    /// @param attention operations of the attention
    /// @param held tokens of each sequence whose KV cache is read or written
    private Roofline.RooflinePoint point(
            double sequences, double tokens, double passes, double attention, double held, double seconds) {
        Parallelism layout = plan.layout();
        double sharers = (double) layout.tp() * layout.pp();
        double expertSharers = (double) Math.max(layout.ep(), layout.tp()) * layout.pp();
        double rows = sequences * tokens;
        double all = rows * layout.attentionDp();
        double dense = weights.attention().elements() + weights.dense().elements();
        double chosen = shape.expertLayers() == 0 ? 0 : shape.activeExperts() / shape.experts();
        double operations = (2 * rows * dense + 2 * sequences * weights.head().elements() + attention) / sharers
                + 2 * all * chosen * weights.experts().elements() / expertSharers;
        double read = weights.attention().bytes()
                + weights.dense().bytes()
                + weights.head().bytes();
        double touched = shape.touchedExperts(all / passes) * weights.experts().bytes();
        double bytes = passes * (read / sharers + touched / expertSharers) + sequences * cacheBytes(held);
        return new Roofline.RooflinePoint(operations, bytes, seconds);
    }

    /// Returns the sequences of each attention group of a replica.
    private double sequences() {
        return (double) Math.ceilDiv(request.concurrency(), plan.replicas())
                / plan.layout().attentionDp();
    }

    /// Returns the KV cache that a device holds of one sequence: the plan knows that of all sequences at their full
    /// length, on the fullest device.
    private double cacheBytes(double tokens) {
        double each = plan.memory().kvCache() / Math.ceil(sequences()) / Candidate.fullestStage(shape, plan.layout());
        int number = kvBytes(plan);
        return each * shape.sequenceBytes(tokens, number) / shape.sequenceBytes(request.tokens(), number);
    }

    private boolean isLlamaCpp() {
        return plan.software() == ServingEngine.LLAMA_CPP;
    }
}
