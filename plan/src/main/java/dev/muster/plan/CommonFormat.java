// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.plan.Planner.Comparison;
import dev.muster.plan.Planner.FitAnswer;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.List;

/// One request on two machines, in a weight format that fits on both.
final class CommonFormat {
    private CommonFormat() {}

    static Comparison compare(Planner here, Planner there, ServingRequest request, ServingChoices choices) {
        Comparison asked = new Comparison(here.serve(request, choices), there.serve(request, choices));
        if (!choices.formats().isEmpty() || isHeldByBoth(asked)) {
            return asked;
        }
        List<FormatFit> others = fitting(there.fit(request, choices));
        for (FormatFit one : fitting(here.fit(request, choices))) {
            for (FormatFit other : others) {
                if (other.format().equals(one.format())) {
                    return new Comparison(
                            noted(serve(here, request, one), request), noted(serve(there, request, other), request));
                }
            }
        }
        return asked;
    }

    /// Returns the fits that have a plan, those with the most bits first.
    private static List<FormatFit> fitting(FitAnswer answer) {
        return answer.fits().stream()
                .filter(fit -> fit.plan().isPresent())
                .sorted((a, b) -> FitAnswer.compare(b, a))
                .toList();
    }

    /// Returns the answer in the format and by the engine of a fit.
    private static ServingOutcome serve(Planner planner, ServingRequest request, FormatFit fit) {
        ServingChoices choices =
                ServingChoices.USUAL.withFormats(List.of(fit.format())).withEngine(fit.software());
        return planner.serve(request, choices);
    }

    /// Reports whether both machines hold the model.
    private static boolean isHeldByBoth(Comparison comparison) {
        return isHeld(comparison.here()) && isHeld(comparison.there());
    }

    private static boolean isHeld(ServingOutcome outcome) {
        return switch (outcome.answer()) {
            case PlanAnswer.Feasible<ServingPlan> _ -> true;
            case PlanAnswer.Infeasible<ServingPlan> none ->
                none.closest().memory().fits();
            case PlanAnswer.Unanswered<ServingPlan> _ -> false;
        };
    }

    private static ServingOutcome noted(ServingOutcome outcome, ServingRequest asked) {
        List<PlanNote> notes = new ArrayList<>(outcome.answer().notes());
        notes.add(PlanNote.of(
                Topic.COMMON_FORMAT, asked.format(), outcome.request().format()));
        return new ServingOutcome(outcome.request(), outcome.answer().withNotes(notes), outcome.splits());
    }
}
