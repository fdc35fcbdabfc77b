// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/// Fits coefficients to all rows, and again without each group of rows, to measure the errors of predictions of
/// unseen rows. Rows of engines that share no coefficient are fitted apart. Deterministic; immutable.
public final class LeftOut {
    /// The number of refits of predictions that have a closed form nearby.
    private static final int ROUNDS = 3;

    private final List<Coefficient> beliefs;
    private final List<Block> blocks;

    private LeftOut(List<Coefficient> beliefs, List<Block> blocks) {
        this.beliefs = beliefs;
        this.blocks = blocks;
    }

    /// Cases that share coefficients.
    ///
    /// @param fit fit to closed forms that hold close to the fitted values
    private record Block(List<MeasuredCase> cases, CoefficientFit fit) {}

    /// A group of a block, and its predictions.
    private record Trial(Block block, List<MeasuredCase> group) {}

    /// Fits to all rows.
    ///
    /// @param beliefs priors before any measurement
    public static LeftOut of(List<Coefficient> beliefs, List<MeasuredCase> cases) {
        return of(beliefs, cases, CoefficientTable.of(beliefs), ROUNDS);
    }

    /// Fits to all rows, from earlier fitted coefficients: the same result as from priors, in less time.
    ///
    /// @param beliefs priors before any measurement
    public static LeftOut of(List<Coefficient> beliefs, List<MeasuredCase> cases, Coefficients start) {
        return of(beliefs, cases, start, 1);
    }

    private static LeftOut of(List<Coefficient> beliefs, List<MeasuredCase> cases, Coefficients start, int rounds) {
        List<Coefficient> known = List.copyOf(beliefs);
        List<Block> blocks = blocks(known, cases).parallelStream()
                .map(block -> fit(known, block, start, rounds))
                .toList();
        return new LeftOut(known, blocks);
    }

    /// Returns all coefficients, fitted to all cases.
    public List<Coefficient> fitAll() {
        Map<String, Coefficient> fitted = new LinkedHashMap<>();
        for (Coefficient belief : beliefs) {
            fitted.put(belief.name(), belief);
        }
        for (Block block : blocks) {
            block.fit.fitted().forEach(one -> fitted.put(one.name(), one));
        }
        return List.copyOf(fitted.values());
    }

    /// Returns the prediction of each row by coefficients fitted without its group.
    public Map<MeasuredCase, Double> predict() {
        return predict((_, _) -> {});
    }

    /// Returns the predictions of [#predict()] and reports progress.
    ///
    /// @param progress receives the number of predicted groups and of all groups
    public Map<MeasuredCase, Double> predict(BiConsumer<Integer, Integer> progress) {
        List<Trial> trials = new ArrayList<>();
        for (Block block : blocks) {
            groups(block.cases).values().forEach(group -> trials.add(new Trial(block, group)));
        }
        AtomicInteger done = new AtomicInteger();
        progress.accept(0, trials.size());
        Map<MeasuredCase, Double> predicted = new HashMap<>();
        // Fits of blocks and groups are independent: the figures are the same in any order.
        trials.parallelStream()
                .map(trial -> {
                    Map<MeasuredCase, Double> some = predict(trial);
                    report(progress, done.incrementAndGet(), trials.size());
                    return some;
                })
                .toList()
                .forEach(predicted::putAll);
        return predicted;
    }

    private static synchronized void report(BiConsumer<Integer, Integer> progress, int done, int all) {
        progress.accept(done, all);
    }

    private Map<MeasuredCase, Double> predict(Trial trial) {
        String name = trial.group.getFirst().group();
        Coefficients fitted = believed(beliefs, trial.block.fit.fittedWithout(name));
        Map<MeasuredCase, Double> predicted = new HashMap<>();
        trial.group.forEach(one -> predicted.put(one, one.prediction().with(fitted)));
        return predicted;
    }

    /// Fits, and again around the result, if predictions have a closed form that holds nearby.
    private static Block fit(List<Coefficient> beliefs, List<MeasuredCase> cases, Coefficients start, int rounds) {
        Coefficients at = start;
        CoefficientFit fit = CoefficientFit.of(beliefs, near(cases, at), at);
        if (near(cases, at).equals(cases)) {
            return new Block(cases, fit);
        }
        for (int round = 1; round < rounds; round++) {
            at = believed(beliefs, fit.fitted());
            fit = CoefficientFit.of(beliefs, near(cases, at), at);
        }
        return new Block(cases, fit);
    }

    private static List<MeasuredCase> near(List<MeasuredCase> cases, Coefficients at) {
        return cases.stream().map(one -> one.around(at)).toList();
    }

    /// Returns the fitted coefficients, and priors for the rest.
    private static Coefficients believed(List<Coefficient> beliefs, List<Coefficient> fitted) {
        List<Coefficient> all = new ArrayList<>(beliefs);
        all.addAll(fitted);
        return CoefficientTable.of(all);
    }

    private static SequencedMap<String, List<MeasuredCase>> groups(List<MeasuredCase> cases) {
        SequencedMap<String, List<MeasuredCase>> groups = new LinkedHashMap<>();
        cases.forEach(one ->
                groups.computeIfAbsent(one.group(), _ -> new ArrayList<>()).add(one));
        return groups;
    }

    /// Divides cases into blocks: two are in one block if they use the same coefficient, or share a neighbour that
    /// does.
    private static List<List<MeasuredCase>> blocks(List<Coefficient> beliefs, List<MeasuredCase> cases) {
        Coefficients believed = CoefficientTable.of(beliefs);
        List<MeasuredCase> near =
                cases.stream().map(one -> one.around(believed)).toList();
        TrialCoefficients trial = TrialCoefficients.of(beliefs, near);
        List<BitSet> asked = new ArrayList<>();
        List<List<MeasuredCase>> members = new ArrayList<>();
        for (int at = 0; at < cases.size(); at++) {
            BitSet places = trial.trace(near.get(at));
            List<MeasuredCase> together = new ArrayList<>(List.of(cases.get(at)));
            for (int i = asked.size() - 1; i >= 0; i--) {
                if (asked.get(i).intersects(places)) {
                    places.or(asked.remove(i));
                    together.addAll(0, members.remove(i));
                }
            }
            asked.add(places);
            members.add(together);
        }
        return members;
    }
}
