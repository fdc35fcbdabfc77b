package dev.muster.plan.training;

import dev.muster.plan.cost.CoefficientTable;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.search.MemoryTerm;
import dev.muster.plan.search.RecordingCoefficients;
import dev.muster.plan.search.TermList;
import dev.muster.plan.search.UsedCoefficient;
import java.util.List;

/// The arithmetic of a plan of training, the largest terms first. It is taken down while the figures are counted anew.
///
/// @param memory what the fullest device holds
/// @param step where the time of a step goes on each device
/// @param coefficients the numbers that times rest on
/// @since 0.1
public record TrainingExplanation(List<MemoryTerm> memory, List<StepTerm> step, List<UsedCoefficient> coefficients) {
    /// Copies the lists.
    public TrainingExplanation {
        memory = List.copyOf(memory);
        step = List.copyOf(step);
        coefficients = List.copyOf(coefficients);
    }

    /// The arithmetic of a plan that a search with these coefficients found for a request.
    ///
    /// @throws IllegalArgumentException if nothing could be planned for such a request
    public static TrainingExplanation of(TrainingRequest request, TrainingPlan plan, CoefficientTable table) {
        RecordingCoefficients recording = RecordingCoefficients.of(table);
        TrainingCost cost = TrainingSearch.of(recording)
                .problem(request, plan.cluster(), plan.software())
                .find()
                .orElseThrow(() -> new IllegalArgumentException("nothing can be planned for such a request"))
                .cost();
        TermList step = TermList.create();
        cost.explain(plan.run(), step);
        return new TrainingExplanation(cost.memoryTerms(plan.run()), step.largestFirst(), recording.used());
    }
}
