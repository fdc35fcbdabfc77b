package dev.muster.cli.model;

import dev.muster.cli.render.Terminal;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingPlan;

/// The arithmetic of a plan of training.
///
/// @param plan the plan
/// @param explanation what its figures are made of
public record TrainingExplanationText(TrainingPlan plan, TrainingExplanation explanation) {
    /// For people.
    String text(Terminal terminal) {
        return terminal.bold("Memory of the fullest device") + "\n"
                + ExplanationTables.memory(explanation.memory(), plan.memory().total(), terminal) + "\n"
                + terminal.bold("Time of a step on each device; rates are what is reached,"
                        + " and of moves what nothing hides")
                + "\n" + ExplanationTables.time(explanation.step(), PredictedFigures::milliseconds, terminal) + "\n"
                + terminal.bold("What this rests on") + "\n"
                + ExplanationTables.basis(plan.cluster().pool(), explanation.coefficients(), terminal);
    }
}
