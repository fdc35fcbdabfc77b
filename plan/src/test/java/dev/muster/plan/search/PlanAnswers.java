// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.fail;

import dev.muster.plan.answer.PlanAnswer;

/// Expectations of tests about answers.
public final class PlanAnswers {
    private PlanAnswers() {}

    /// The answer with a plan, or a failure that says what would do.
    public static <P> PlanAnswer.Feasible<P> feasible(PlanAnswer<P> answer) {
        return switch (answer) {
            case PlanAnswer.Feasible<P> found -> found;
            case PlanAnswer.Infeasible<P> none -> fail("nothing fits; would do: " + none.remedies());
            case PlanAnswer.Unanswered<P> unknown -> fail("nothing can be said: " + unknown.reason());
        };
    }

    /// The answer without a plan, or a failure.
    public static <P> PlanAnswer.Infeasible<P> infeasible(PlanAnswer<P> answer) {
        return switch (answer) {
            case PlanAnswer.Feasible<P> found -> fail("it fits: " + found.best());
            case PlanAnswer.Infeasible<P> none -> none;
            case PlanAnswer.Unanswered<P> unknown -> fail("nothing can be said: " + unknown.reason());
        };
    }

    /// The answer that says nothing, or a failure.
    public static <P> PlanAnswer.Unanswered<P> unanswered(PlanAnswer<P> answer) {
        return switch (answer) {
            case PlanAnswer.Feasible<P> found -> fail("it fits: " + found.best());
            case PlanAnswer.Infeasible<P> none -> fail("nothing fits; would do: " + none.remedies());
            case PlanAnswer.Unanswered<P> unknown -> unknown;
        };
    }

    /// The best plan of an answer.
    public static <P> P best(PlanAnswer<P> answer) {
        return feasible(answer).best();
    }

    /// The plan to look at.
    public static <P> P first(PlanAnswer<P> answer) {
        return answer.findFirst().orElseThrow();
    }
}
