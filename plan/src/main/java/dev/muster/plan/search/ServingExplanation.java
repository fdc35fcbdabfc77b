package dev.muster.plan.search;

import dev.muster.plan.cost.CoefficientTable;
import dev.muster.plan.cost.ModelShape;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.time.WeightParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The arithmetic of a plan, the largest terms first. It is taken down while the figures are counted
/// anew, so that it cannot say anything else than they do.
///
/// @param memory what each device holds
/// @param step where the time between two tokens goes
/// @param timeToFirstToken where the time until the first token on an idle replica goes
/// @param coefficients the numbers that times and workspaces rest on
/// @since 0.1
public record ServingExplanation(
        List<MemoryTerm> memory,
        List<StepTerm> step,
        List<StepTerm> timeToFirstToken,
        List<UsedCoefficient> coefficients) {
    /// Copies the lists.
    public ServingExplanation {
        memory = List.copyOf(memory);
        step = List.copyOf(step);
        timeToFirstToken = List.copyOf(timeToFirstToken);
        coefficients = List.copyOf(coefficients);
    }

    /// The arithmetic of a plan that a search with these coefficients found for a request.
    public static ServingExplanation of(ServingRequest request, ServingPlan plan, CoefficientTable table) {
        RecordingCoefficients recording = RecordingCoefficients.of(table);
        Candidate candidate = new Candidate(
                request,
                ModelShape.of(request.architecture()).orElseThrow(),
                request.format()
                        .weights(request.architecture())
                        .map(WeightParts::of)
                        .find()
                        .orElseThrow(),
                plan.pool().deviceIn(plan.layout()),
                plan.layout(),
                recording);
        LayoutModel model = ServingSearch.modelling(request, plan.pool(), plan.software(), recording)
                .apply(candidate);
        int sequences = Math.ceilDiv(request.concurrency(), plan.replicas());
        TermList step = TermList.create();
        model.step(sequences, step);
        TermList timeToFirstToken = TermList.create();
        model.timeToFirstToken(timeToFirstToken);
        List<MemoryTerm> memory = new ArrayList<>(model.memoryTerms(sequences));
        memory.sort(Comparator.comparingDouble(MemoryTerm::bytes).reversed());
        return new ServingExplanation(memory, step.largestFirst(), timeToFirstToken.largestFirst(), recording.used());
    }
}
