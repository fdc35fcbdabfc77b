package dev.muster.plan.fit;

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

/// Fits coefficients as a whole, and again without each group of rows, to see how well rows are predicted that were
/// never seen. Rows of engines that share no coefficient are fitted apart. Deterministic.
///
/// @param blocks cases that share coefficients
/// @since 0.1
public record LeftOut(List<Coefficient> beliefs, List<List<MeasuredCase>> blocks) {
    /// Takes rows to fit to.
    ///
    /// @param beliefs what is believed before any measurement
    public static LeftOut of(List<Coefficient> beliefs, List<MeasuredCase> cases) {
        return new LeftOut(List.copyOf(beliefs), blocks(beliefs, cases));
    }

    /// All coefficients, fitted to all cases.
    public List<Coefficient> fitAll() {
        Map<String, Coefficient> fitted = new LinkedHashMap<>();
        for (Coefficient belief : beliefs) {
            fitted.put(belief.name(), belief);
        }
        for (List<MeasuredCase> block : blocks) {
            CoefficientFit.fit(beliefs, block).forEach(one -> fitted.put(one.name(), one));
        }
        return List.copyOf(fitted.values());
    }

    /// For each row what is predicted by coefficients that never saw its group.
    public Map<MeasuredCase, Double> predict() {
        return predict((_, _) -> {});
    }

    /// The same for people who wait.
    ///
    /// @param progress is told how many groups were predicted, of how many
    public Map<MeasuredCase, Double> predict(BiConsumer<Integer, Integer> progress) {
        List<Trial> trials = new ArrayList<>();
        for (List<MeasuredCase> block : blocks) {
            groups(block).values().forEach(group -> trials.add(new Trial(block, group)));
        }
        AtomicInteger done = new AtomicInteger();
        progress.accept(0, trials.size());
        Map<MeasuredCase, Double> predicted = new HashMap<>();
        // Fits of blocks and groups do not touch each other: in whatever order they end, the figures are the same.
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

    /// A group, and the block that it is left out of.
    private record Trial(List<MeasuredCase> block, List<MeasuredCase> group) {}

    private static synchronized void report(BiConsumer<Integer, Integer> progress, int done, int all) {
        progress.accept(done, all);
    }

    private Map<MeasuredCase, Double> predict(Trial trial) {
        String name = trial.group.getFirst().group();
        List<MeasuredCase> others =
                trial.block.stream().filter(one -> !one.group().equals(name)).toList();
        Coefficients fitted = believed(CoefficientFit.fit(beliefs, others));
        Map<MeasuredCase, Double> predicted = new HashMap<>();
        trial.group.forEach(one -> predicted.put(one, one.prediction().with(fitted)));
        return predicted;
    }

    /// What was fitted, and beliefs about the rest.
    private Coefficients believed(List<Coefficient> fitted) {
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

    /// Cases are in one block where they ask for the same coefficient, or have a neighbour that does.
    private static List<List<MeasuredCase>> blocks(List<Coefficient> beliefs, List<MeasuredCase> cases) {
        TrialCoefficients trial = TrialCoefficients.of(beliefs, cases);
        List<BitSet> asked = new ArrayList<>();
        List<List<MeasuredCase>> members = new ArrayList<>();
        for (MeasuredCase one : cases) {
            BitSet places = trial.trace(one);
            List<MeasuredCase> together = new ArrayList<>(List.of(one));
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
