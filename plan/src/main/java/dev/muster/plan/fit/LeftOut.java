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
import java.util.function.BiConsumer;

/// Fits coefficients as a whole, and again without each group of rows, to see how well rows are predicted that were
/// never seen. Rows of engines that share no coefficient are fitted apart. Deterministic.
///
/// @param blocks cases that share coefficients
/// @since 0.1
public record LeftOut(List<Coefficient> beliefs, List<List<MeasuredCase>> blocks) {
    private static final int ROUNDS = 2;

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
            fit(block).forEach(one -> fitted.put(one.name(), one));
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
        Map<MeasuredCase, Double> predicted = new HashMap<>();
        int all = blocks.stream().mapToInt(block -> groups(block).size()).sum();
        int done = 0;
        for (List<MeasuredCase> block : blocks) {
            for (List<MeasuredCase> group : groups(block).values()) {
                progress.accept(done++, all);
                String name = group.getFirst().group();
                List<MeasuredCase> others =
                        block.stream().filter(one -> !one.group().equals(name)).toList();
                Coefficients fitted = believed(fit(others));
                group.forEach(one -> predicted.put(one, one.prediction().with(fitted)));
            }
        }
        return predicted;
    }

    /// Fits, and again around what was fitted, where predictions have a closed form that holds nearby.
    private List<Coefficient> fit(List<MeasuredCase> cases) {
        List<Coefficient> fitted = beliefs;
        for (int round = 0; round < ROUNDS; round++) {
            Coefficients at = believed(fitted);
            List<MeasuredCase> near = cases.stream().map(one -> one.around(at)).toList();
            boolean isSame = near.equals(cases);
            fitted = CoefficientFit.fit(beliefs, near);
            if (isSame) {
                break;
            }
        }
        return fitted;
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
