// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.Finding;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Compares what NCCL Inspector wrote about collectives and messages: communicators and links that are slow beside
/// others with the same operation and size, ranks that the others wait for, and ranks that stopped early.
final class InspectorChecks {
    private static final String SPEED = "nccl.links.fast";
    private static final String AGREE = "nccl.calls.agree";
    /// Below this part of the median of its likes a link is slow.
    private static final double SLOW = 0.7;
    /// The last to come waits for nobody: its time in collectives is below this part of the others'.
    private static final double LATE = 0.5;

    private static final int FEWEST = 5;

    /// Bus bandwidths by operation and size, and then by who they are of.
    private final Map<String, Map<String, List<Double>>> speeds = new TreeMap<>();
    /// Times by communicator and rank.
    private final Map<String, Map<Integer, List<Double>>> times = new TreeMap<>();
    /// The last collective by communicator and rank.
    private final Map<String, Map<Integer, Long>> last = new TreeMap<>();

    /// Reports whether a line is of such a file.
    static boolean isEvent(JsonValue line) {
        return line.find("header").isPresent()
                && (line.find("coll_perf").isPresent() || line.find("p2p_perf").isPresent());
    }

    /// Takes a line.
    void add(JsonValue line) {
        JsonValue header = line.find("header").orElseThrow();
        String communicator = Fields.text(header, "id");
        int rank = Math.clamp(Fields.number(header, "rank"), 0, Integer.MAX_VALUE);
        long ranks = Fields.findNumber(header, "n_ranks").orElse(0L);
        if (line.find("coll_perf").orElse(null) instanceof JsonObject call) {
            String kind = Fields.text(call, "coll") + " of " + Fields.number(call, "coll_msg_size_bytes")
                    + " bytes among " + ranks + " ranks";
            speed(kind, "communicator " + communicator, Fields.findDecimal(call, "coll_busbw_gbs"));
            Fields.findDecimal(call, "coll_exec_time_us")
                    .ifPresent(time -> times.computeIfAbsent(communicator, _ -> new TreeMap<>())
                            .computeIfAbsent(rank, _ -> new ArrayList<>())
                            .add(time));
            last.computeIfAbsent(communicator, _ -> new TreeMap<>())
                    .merge(rank, Fields.number(call, "coll_sn"), Math::max);
        } else if (line.find("p2p_perf").orElse(null) instanceof JsonObject message) {
            String kind =
                    Fields.text(message, "p2p") + " of " + Fields.number(message, "p2p_msg_size_bytes") + " bytes";
            String link = "rank " + rank + " to rank " + Fields.number(message, "p2p_peer") + " of communicator "
                    + communicator;
            speed(kind, link, Fields.findDecimal(message, "p2p_busbw_gbs"));
        }
    }

    private void speed(String kind, String of, Optional<Double> bandwidth) {
        bandwidth.ifPresent(value -> speeds.computeIfAbsent(kind, _ -> new TreeMap<>())
                .computeIfAbsent(of, _ -> new ArrayList<>())
                .add(value));
    }

    List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        speeds.forEach((kind, likes) -> slow(kind, likes, findings));
        times.forEach((communicator, ranks) -> late(communicator, ranks, findings));
        last.forEach((communicator, ranks) -> ended(communicator, ranks, findings));
        if (findings.isEmpty()) {
            findings.add(Finding.pass(SPEED, "no link and no rank is slow beside its likes"));
        }
        return findings;
    }

    private static void slow(String kind, Map<String, List<Double>> likes, List<Finding> findings) {
        if (likes.size() < 3) {
            return; // of two, nobody can say which is slow
        }
        double usual =
                median(likes.values().stream().map(InspectorChecks::median).toList());
        likes.forEach((of, values) -> {
            if (values.size() >= FEWEST && median(values) < SLOW * usual) {
                findings.add(Finding.warn(
                        SPEED,
                        String.format(
                                Locale.ROOT,
                                "%s, %s: %.1f GB/s, where others reach %.1f GB/s",
                                of,
                                kind,
                                median(values),
                                usual),
                        "check its cables, PCIe width and NIC: muster check, muster topology"));
            }
        });
    }

    private static void late(String communicator, Map<Integer, List<Double>> ranks, List<Finding> findings) {
        if (ranks.size() < 2 || ranks.values().stream().anyMatch(values -> values.size() < FEWEST)) {
            return;
        }
        ranks.forEach((rank, values) -> {
            double others = median(ranks.entrySet().stream()
                    .filter(other -> !other.getKey().equals(rank))
                    .map(other -> median(other.getValue()))
                    .toList());
            if (median(values) < LATE * others) {
                findings.add(Finding.warn(
                        SPEED,
                        String.format(
                                Locale.ROOT,
                                "communicator %s: rank %d comes late: it spends %.0f us in a collective, the others %.0f"
                                        + " us, most of it waiting",
                                communicator,
                                rank,
                                median(values),
                                others),
                        "look at the load, clock and temperature of its host and GPU"));
            }
        });
    }

    private static void ended(String communicator, Map<Integer, Long> ranks, List<Finding> findings) {
        long most = ranks.values().stream().mapToLong(Long::longValue).max().orElse(0);
        List<Integer> early = ranks.entrySet().stream()
                .filter(rank -> rank.getValue() < most - 1) // files are written at different moments
                .map(Map.Entry::getKey)
                .toList();
        if (!early.isEmpty()) {
            findings.add(Finding.fail(
                    AGREE,
                    "communicator " + communicator + ": " + TorchChecks.names(early)
                            + early.stream()
                                    .limit(16)
                                    .map(rank -> "#" + ranks.get(rank))
                                    .collect(Collectors.joining(", ", " ended collective ", ""))
                            + " last, others #" + most,
                    "look at what these ranks do: py-spy dump"));
        }
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
