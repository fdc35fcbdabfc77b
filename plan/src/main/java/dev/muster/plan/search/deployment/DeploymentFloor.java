// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.serving.Speculation;
import dev.muster.plan.simulate.StepTimes;
import dev.muster.plan.simulate.Workload;

/// Lower bounds of the times of any run of a replica: no step is shorter than one of a single token, none processes
/// prompts faster than the best one does, and none that decodes a sequence is shorter than one that decodes it alone.
/// True bounds of the simulation, so that nothing is left out that would keep an objective; only the capacity under a
/// steady load is an estimate, with a margin.
final class DeploymentFloor {
    /// Ticks are rounded.
    private static final double ROUNDING = 1 - 1e-6;

    private static final int POINTS = 4;

    /// A capacity that a steady load exceeds this many times is not enough, regardless of the tail of its times.
    private static final double MARGIN = 1.5;

    private final StepTimes times;
    private final Speculation speculation;
    private final double prefixHit;
    private double promptToken = Double.NaN;
    private int promptTokenBudget;

    DeploymentFloor(StepTimes times, Speculation speculation, double prefixHit) {
        this.times = times;
        this.speculation = speculation;
        this.prefixHit = prefixHit;
    }

    /// Returns the seconds per output token of a sequence whose prompt has at least a number of tokens.
    double outputToken(int input) {
        double step = times.rows(speculation.draft() + 1.0) + times.sequences(1) + input * times.contextToken(1);
        return ROUNDING * step / Math.max(1, speculation.tokens());
    }

    /// Returns the seconds of an idle replica for a prompt.
    ///
    /// @param need tokens to compute
    /// @param budget largest number of tokens of a step
    double prompt(int need, int budget) {
        double step = Math.max(times.promptFloor(), times.rows(1) + times.promptStep());
        return ROUNDING * Math.max(Math.ceilDiv(need, budget) * step, need * promptToken(budget));
    }

    /// Seconds of a replica for each token of prompts, at best. Rows are straight between the points that are asked, so
    /// that none between them is better.
    double promptToken(int budget) {
        if (Double.isNaN(promptToken) || promptTokenBudget < budget) {
            double best = Double.POSITIVE_INFINITY;
            double before = 0;
            for (double base = 1; before < budget; base *= 2) {
                for (int quarter = 0; quarter < POINTS && before < budget; quarter++) {
                    before = base * (1 + quarter / (double) POINTS);
                    best = Math.min(best, times.rows(before) / before);
                }
            }
            promptToken = ROUNDING * best;
            promptTokenBudget = budget;
        }
        return promptToken;
    }

    /// Returns an upper bound of the tokens per second that a user sees.
    double mostPerUser(Workload load) {
        return 1 / outputToken(load.shortestInput());
    }

    /// Returns an upper bound of the output tokens per second of a unit: users wait for their answers, and replicas
    /// for each token.
    double mostTokens(DeploymentUnit unit, Workload load) {
        double token = promptToken(unit.policy.tokenBudget());
        double each = token * (1 + (double) load.shortestNeed(prefixHit) / load.longestOutput());
        double busy = unit.replicas() / each;
        double answer = prompt(load.shortestNeed(prefixHit), unit.policy.tokenBudget())
                + (load.longestOutput() - 1) * outputToken(load.shortestInput());
        return Math.min(busy, load.mostAtOnce() * load.longestOutput() / answer);
    }

    /// Reports whether a load certainly misses an objective.
    ///
    /// @param unit unit that serves it
    /// @param load load of each of several units
    boolean isHopeless(DeploymentUnit unit, Workload load, Slo slo) {
        if (load.isSteady() && isCrowded(unit, load, slo)) {
            return true;
        }
        double delay = unit.replica.client().least(load, unit.prefill);
        for (Objective one : slo.objectives()) {
            boolean isBeyond = switch (one.metric()) {
                case TPOT -> load.hasDecodes() && outputToken(load.shortestInput()) > one.seconds();
                case TTFT -> isTooLate(unit, load, delay, one);
                case LATENCY ->
                    delay
                                    + prompt(load.shortestNeed(prefixHit), unit.policy.tokenBudget())
                                    + (load.shortestOutput() - 1) * outputToken(load.shortestInput())
                            > one.seconds();
            };
            if (isBeyond) {
                return true;
            }
        }
        return false;
    }

    /// Reports whether a steady load is beyond the capacity of a unit by a wide margin: more requests than can run
    /// within
    /// the time per output token and the KV cache, and wait within the time to the first token.
    private boolean isCrowded(DeploymentUnit unit, Workload load, Slo slo) {
        int deciding = unit.decode > 0 ? unit.decode : unit.prefill;
        double running = running(unit, load, limit(slo, LatencyMetric.TPOT));
        double tokens = speculation.tokens() * running / step(running, load);
        double need = load.hasBlocks() ? 1 : load.meanInput() * (1 - prefixHit);
        double read = unit.replicas() / (promptToken(unit.policy.tokenBudget()) * need);
        double perSecond = Math.min(read, deciding * tokens / load.meanOutput());
        if (!load.isClosedLoop()) {
            return load.perSecond() > MARGIN * perSecond;
        }
        return load.users() > MARGIN * (deciding * running + perSecond * limit(slo, LatencyMetric.TTFT));
    }

    /// Returns the sequences that a replica can have in decode within a time per output token.
    private double running(DeploymentUnit unit, Workload load, double seconds) {
        double held = load.meanInput() + load.meanOutput() / 2;
        int most = (int) Math.max(1, Math.min(unit.policy.maxSequences(), MARGIN * unit.replica.kvTokens() / held));
        int least = 1;
        while (least < most) {
            int middle = (least + most + 1) >>> 1;
            if (step(middle, load) <= seconds * speculation.tokens()) {
                least = middle;
            } else {
                most = middle - 1;
            }
        }
        return least;
    }

    private double step(double sequences, Workload load) {
        return times.rows(sequences * (speculation.draft() + 1.0))
                + times.sequences((int) sequences)
                + sequences * load.shortestInput() * times.contextToken((int) sequences);
    }

    /// Returns the limit of nearly all requests; none if a tenth of them may be beyond it.
    private static double limit(Slo slo, LatencyMetric metric) {
        return slo.objectives().stream()
                .filter(one -> one.metric() == metric
                        && (one.statistic() == LatencyStatistic.MEAN || one.statistic() == LatencyStatistic.P99))
                .mapToDouble(Objective::seconds)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// Reports whether one prompt takes too long by itself, or more of them come than can be read in time.
    private boolean isTooLate(DeploymentUnit unit, Workload load, double delay, Objective objective) {
        int budget = unit.policy.tokenBudget();
        int need = load.shortestNeed(prefixHit);
        if (delay + prompt(need, budget) > objective.seconds()) {
            return true;
        }
        double each = need * promptToken(budget) / unit.prefill;
        return objective
                .statistic()
                .findShare()
                .map(share -> load.isLate(each, objective.seconds() - delay, share))
                .orElse(false);
    }
}
