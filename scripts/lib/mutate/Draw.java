// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws mutants: first one of each module, then over all; the kinds take turns, so that constants, of which there are
 * most, are not most of the sample. Among the mutants of a kind the one with the least hash comes first.
 */
final class Draw {
    private final List<Mutant> sorted;
    private final List<String> modules;
    private final Set<Mutant> drawn = new HashSet<>();
    private int turn;

    Draw(List<Mutant> all, long seed, List<String> asked) {
        Map<Mutant, Long> hashes = new java.util.HashMap<>();
        all.forEach(one -> hashes.put(one, one.hash(seed)));
        sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(hashes::get));
        modules = asked.isEmpty()
                ? all.stream().map(Mutant::module).distinct().sorted().toList()
                : List.copyOf(asked);
    }

    /** The next mutant; null where there is none left. */
    Mutant next() {
        Mutant.Kind[] kinds = Mutant.Kind.values();
        String module = turn < modules.size() ? modules.get(turn) : "";
        Map<Mutant.Kind, Mutant> first = new EnumMap<>(Mutant.Kind.class);
        for (Mutant one : sorted) {
            if (!drawn.contains(one) && (module.isEmpty() || one.module().equals(module))) {
                first.putIfAbsent(one.kind(), one);
            }
        }
        for (int i = 0; i < kinds.length; i++) {
            Mutant found = first.get(kinds[(turn + i) % kinds.length]);
            if (found != null) {
                drawn.add(found);
                turn++;
                return found;
            }
        }
        if (turn < modules.size()) {
            turn++;
            return next();
        }
        return null;
    }

    /** The last one counts for nothing: the next is drawn in its place. */
    void refuse() {
        turn--;
    }
}
