package dev.muster.cli.model;

import dev.muster.cli.render.Terminal;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import java.util.List;

/// The arithmetic of a plan.
///
/// @param plan the plan
/// @param explanation what its figures are made of
public record ExplanationText(ServingPlan plan, ServingExplanation explanation) {
    /// For people.
    String text(Terminal terminal) {
        return terminal.bold("Memory of each device") + "\n"
                + ExplanationTables.memory(explanation.memory(), plan.memory().total(), terminal) + "\n"
                + terminal.bold("Time per output token (TPOT)") + "\n" + time(explanation.step(), terminal) + "\n"
                + terminal.bold("Time to first token (TTFT), on an idle replica") + "\n"
                + time(explanation.timeToFirstToken(), terminal) + "\n"
                + terminal.bold("What this rests on") + "\n"
                + ExplanationTables.basis(plan.pool(), explanation.coefficients(), terminal);
    }

    private static String time(List<StepTerm> terms, Terminal terminal) {
        return ExplanationTables.time(terms, ExplanationTables::micros, terminal);
    }
}
