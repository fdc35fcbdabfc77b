// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.plan.Planner;
import dev.muster.plan.rules.MemoryEstimate;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.training.TrainingMethod;
import java.util.Optional;

/// Asks ai-hwaccel's rules.
final class RulesAsker {
    private static final long MILLION = 1_000_000;

    private RulesAsker() {}

    static Answer ask(Question.Rules question, Planner planner) {
        try {
            return switch (question.kind()) {
                case PLAN_RULES -> sharded(question, planner);
                case TRAIN_RULES -> estimated(question);
                case QUANTIZE -> quantized(question, planner);
                case PLAN, SIMULATE, TRAIN, FIT, COST, COMPARE, FLEET_PLAN ->
                    throw new IllegalArgumentException("no rule answers " + question.kind());
            };
        } catch (ArithmeticException e) {
            throw QuestionException.of("cannot plan: {}", String.valueOf(e.getMessage()));
        }
    }

    private static AcceleratorRegistry devices(Question.Rules question, Planner planner) {
        return new Setup(question.values()).choice(planner.registry()).restrict(planner.registry());
    }

    private static Answer sharded(Question.Rules question, Planner planner) {
        AcceleratorRegistry devices = devices(question, planner);
        RulePlanner rules = RulePlanner.of(devices);
        Optional<QuantizationLevel> given = question.values().find(Parameters.LEVEL);
        QuantizationLevel level = given.orElseGet(
                () -> rules.suggestQuantization(question.parameters()).level());
        ShardingPlan plan = rules.plan(question.parameters(), level);
        boolean fits = !plan.shards().isEmpty() && plan.fitsInMemory(devices);
        return new Answer.Sharded(question, level, given.isEmpty(), plan, fits);
    }

    private static Answer quantized(Question.Rules question, Planner planner) {
        RulePlanner rules = RulePlanner.of(devices(question, planner));
        return new Answer.Quantized(
                question,
                rules.suggestQuantization(question.parameters()),
                rules.explainQuantization(question.parameters()));
    }

    private static Answer estimated(Question.Rules question) {
        TrainingMethod method = question.values().find(Parameters.METHOD).orElse(TrainingMethod.Simple.FULL_FINE_TUNE);
        MemoryEstimate.Target target = question.values().find(Parameters.TARGET).orElse(MemoryEstimate.Target.GPU);
        long millions = Math.max(1, Math.round((double) question.parameters() / MILLION));
        return new Answer.Estimated(question, method, target, MemoryEstimate.of(millions, method, target));
    }
}
