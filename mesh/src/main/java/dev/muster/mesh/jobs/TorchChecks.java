// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.Finding;
import dev.muster.mesh.jobs.TorchDump.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Lays dumps of the ranks of a PyTorch job side by side, group by group: the first call that differs, else the ranks
/// that have not come to a call in which others wait.
final class TorchChecks {
    private static final String ID = "nccl.calls.agree";

    private TorchChecks() {}

    static List<Finding> examine(List<TorchDump> dumps) {
        TreeSet<String> groups = new TreeSet<>();
        dumps.forEach(dump -> dump.calls().forEach(call -> groups.add(call.group())));
        List<Finding> findings = new ArrayList<>();
        for (String group : groups) {
            findings.add(examine(group, dumps));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.skip(ID, "the dumps have no collectives"));
        }
        return findings;
    }

    private static Finding examine(String group, List<TorchDump> dumps) {
        Map<Integer, NavigableMap<Long, Call>> ranks = new TreeMap<>();
        TreeSet<Integer> absent = new TreeSet<>();
        for (TorchDump dump : dumps) {
            absent.addAll(dump.groups().getOrDefault(group, List.of()));
            NavigableMap<Long, Call> calls = new TreeMap<>();
            dump.calls().stream()
                    .filter(call -> call.group().equals(group))
                    .forEach(call -> calls.put(call.number(), call));
            if (!calls.isEmpty() || dump.groups().getOrDefault(group, List.of()).contains(dump.rank())) {
                ranks.put(dump.rank(), calls);
            }
        }
        absent.removeAll(ranks.keySet());
        String title = "process group " + group + ": ";
        String without = absent.isEmpty() ? "" : "; a dump of " + names(absent) + " was not given";
        TreeSet<Long> numbers = new TreeSet<>();
        ranks.values().forEach(calls -> numbers.addAll(calls.keySet()));
        for (long number : numbers) {
            String problem = problem(number, ranks);
            if (!problem.isEmpty()) {
                return Finding.fail(
                        ID, title + problem + without, "look at what the named ranks do instead: py-spy dump");
            }
        }
        return absent.isEmpty()
                ? Finding.pass(ID, title + "all ranks made and completed the same calls, up to #" + numbers.last())
                : Finding.warn(ID, title + "no rank waits" + without, "dump the recorders of all ranks");
    }

    /// The problem of a call, for people; blank if there is none. Recorders keep the last calls alone: a rank whose
    /// oldest is later has forgotten this one.
    private static String problem(long number, Map<Integer, NavigableMap<Long, Call>> ranks) {
        Map<String, List<Integer>> callers = new HashMap<>();
        List<Integer> missing = new ArrayList<>();
        List<Integer> waiting = new ArrayList<>();
        List<Integer> completed = new ArrayList<>();
        ranks.forEach((rank, calls) -> {
            Call call = calls.get(number);
            if (call != null) {
                callers.computeIfAbsent(call.what(), _ -> new ArrayList<>()).add(rank);
                (call.isCompleted() ? completed : waiting).add(rank);
            } else if (calls.isEmpty() || calls.lastKey() < number) {
                missing.add(rank);
            }
        });
        if (callers.size() > 1 && !haveShapesOfTheirOwn(callers.keySet())) {
            return "call #" + number + " differs: "
                    + callers.entrySet().stream()
                            .sorted(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.getFirst(), b.getFirst())))
                            .map(entry -> names(entry.getValue()) + " called " + entry.getKey())
                            .collect(Collectors.joining(", "));
        }
        if (!missing.isEmpty() && !waiting.isEmpty()) {
            Call awaited = Objects.requireNonNull(
                    Objects.requireNonNull(ranks.get(waiting.getFirst())).get(number));
            String where = awaited.place().isEmpty() ? "" : " (" + awaited.place() + ")";
            return names(missing) + (missing.size() == 1 ? " has" : " have") + " not come to call #" + number + ", "
                    + awaited.what() + where + ", in which " + names(waiting)
                    + (waiting.size() == 1 ? " waits" : " wait");
        }
        if (!waiting.isEmpty() && !completed.isEmpty()) {
            return names(waiting) + (waiting.size() == 1 ? " has" : " have") + " not completed call #" + number
                    + ", which others have";
        }
        return waiting.isEmpty()
                ? ""
                : "all ranks are in call #" + number + ", and none has completed it: look for errors of the network or"
                        + " of a GPU";
    }

    /// Pieces of these may have different sizes on ranks.
    private static boolean haveShapesOfTheirOwn(Iterable<String> calls) {
        TreeSet<String> operations = new TreeSet<>();
        calls.forEach(call -> operations.add(call.substring(0, call.indexOf(" of "))));
        String only = operations.first();
        return operations.size() == 1
                && (only.contains("all_to_all")
                        || only.contains("v_")
                        || only.endsWith("v")
                        || only.contains("gather")
                        || only.contains("scatter"));
    }

    static String names(Iterable<Integer> ranks) {
        List<Integer> all = new ArrayList<>();
        ranks.forEach(all::add);
        String shown = all.stream().limit(16).map(String::valueOf).collect(Collectors.joining(", "));
        String more = all.size() > 16 ? " and " + (all.size() - 16) + " more" : "";
        return (all.size() == 1 ? "rank " : "ranks ") + shown + more;
    }
}
