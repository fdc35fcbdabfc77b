// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.Finding;
import dev.muster.mesh.jobs.RasReport.Communicator;
import dev.muster.mesh.jobs.RasReport.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Names what is wrong with an NCCL job by two answers of its RAS service, a moment apart: counts that differ are usual
/// while a job runs, and tell of a stuck rank only where none of them grows.
///
/// @param first the earlier answer
/// @param second the later one; the same where the first said enough, or there is only one
record RasChecks(RasReport first, RasReport second) {
    private static final String ANSWER = "nccl.ranks.answer";
    private static final String AGREE = "nccl.calls.agree";
    private static final String LOOK = "look at these processes: py-spy dump --pid PID, nvidia-smi, dmesg";

    /// Reports whether one answer says enough.
    static boolean isClear(RasReport report) {
        return !report.processes().isEmpty()
                || report.communicators().stream()
                        .anyMatch(one -> !one.missing().isEmpty() || hasTrouble(one));
    }

    private static boolean hasTrouble(Communicator communicator) {
        return communicator.ranks().stream().anyMatch(rank -> !rank.trouble().isEmpty());
    }

    List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        second.processes()
                .forEach(process -> findings.add(Finding.fail(
                        ANSWER, process + " does not answer: it is stopped, dead or cannot be reached", LOOK)));
        Map<String, Communicator> before = new TreeMap<>();
        first.communicators().forEach(one -> before.put(one.id(), one));
        int waiting = 0;
        for (Communicator communicator : second.communicators()) {
            String name = "communicator " + communicator.id() + ": ";
            for (Rank rank : communicator.missing()) {
                findings.add(Finding.fail(ANSWER, name + describe(rank) + state(rank), LOOK));
            }
            for (Rank rank : communicator.ranks()) {
                if (!rank.trouble().isEmpty()) {
                    findings.add(Finding.fail(ANSWER, name + describe(rank) + ": " + rank.trouble(), LOOK));
                }
            }
            Communicator earlier = before.get(communicator.id());
            if (communicator.equals(earlier) && isRepeated()) {
                stuck(name, communicator, findings);
                waiting++;
            }
        }
        if (findings.isEmpty()) {
            String idle = waiting == 0 ? "" : "; " + waiting + " of them launched nothing meanwhile";
            findings.add(Finding.pass(
                    ANSWER, "all ranks of " + second.communicators().size() + " communicators answer" + idle));
        }
        return findings;
    }

    @SuppressWarnings("ReferenceEquality") // two answers may say the same
    private boolean isRepeated() {
        return first != second;
    }

    private static String describe(Rank rank) {
        return "rank " + rank.number() + (rank.place().isEmpty() ? "" : " (" + rank.place() + ")");
    }

    private static String state(Rank rank) {
        return rank.isDead() ? " is considered dead" : " does not answer: it is stopped, dead or cannot be reached";
    }

    /// Ranks of a communicator whose counts do not grow.
    private static void stuck(String name, Communicator communicator, List<Finding> findings) {
        if (!communicator.differences().isEmpty()) {
            findings.add(Finding.fail(
                    AGREE,
                    name + "ranks differ, and nothing changes: " + String.join("; ", communicator.differences()),
                    LOOK));
            return;
        }
        TreeSet<Integer> ahead = new TreeSet<>();
        TreeSet<Integer> behind = new TreeSet<>();
        List<String> counts = new ArrayList<>();
        for (String operation : operations(communicator)) {
            long most = most(communicator, operation);
            List<Rank> late = communicator.ranks().stream()
                    .filter(rank -> rank.counts().getOrDefault(operation, 0L) < most)
                    .toList();
            if (!late.isEmpty()) {
                late.forEach(rank -> behind.add(rank.number()));
                communicator.ranks().stream()
                        .filter(rank -> !late.contains(rank))
                        .forEach(rank -> ahead.add(rank.number()));
                counts.add(operation + " " + most);
            }
        }
        if (behind.isEmpty()) {
            return;
        }
        TreeSet<Integer> both = new TreeSet<>(ahead);
        both.retainAll(behind);
        String places = communicator.ranks().stream()
                .filter(rank -> behind.contains(rank.number()))
                .limit(16)
                .map(RasChecks::describe)
                .collect(Collectors.joining(", "));
        findings.add(
                both.isEmpty()
                        ? Finding.fail(
                                AGREE,
                                name + places + (behind.size() == 1 ? " has" : " have") + " not launched " + counts
                                        + ", in which the others wait, and no count grows",
                                LOOK)
                        : Finding.fail(
                                AGREE,
                                name + TorchChecks.names(both)
                                        + " launched other operations than the rest, and no count" + " grows: "
                                        + counts(communicator),
                                "find the call that is made on some ranks only"));
    }

    private static TreeSet<String> operations(Communicator communicator) {
        TreeSet<String> names = new TreeSet<>();
        communicator.ranks().forEach(rank -> names.addAll(rank.counts().keySet()));
        return names;
    }

    private static long most(Communicator communicator, String operation) {
        return communicator.ranks().stream()
                .mapToLong(rank -> rank.counts().getOrDefault(operation, 0L))
                .max()
                .orElse(0);
    }

    private static String counts(Communicator communicator) {
        return communicator.ranks().stream()
                .limit(16)
                .map(rank -> "rank " + rank.number() + " " + rank.counts())
                .collect(Collectors.joining(", "));
    }
}
