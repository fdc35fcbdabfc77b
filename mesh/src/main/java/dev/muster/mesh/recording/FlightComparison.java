// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.recording;

import dev.muster.mesh.collective.CallState;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.FlightDump.FlightRecord;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lays the recordings of all ranks beside each other and finds the first call on which they differ.
public final class FlightComparison {
    private FlightComparison() {}

    /// Returns the call at which ranks went apart, in one sentence; empty if all that was recorded agrees and ended
    /// well.
    ///
    /// @param recordings of one group; of several of a rank the last counts
    public static Optional<String> firstDivergence(List<FlightDump> recordings) {
        NavigableMap<Integer, List<FlightRecord>> recorded = new TreeMap<>();
        recordings.forEach(recording -> recorded.put(recording.rank(), recording.records()));
        NavigableMap<Integer, Map<Long, FlightRecord>> byRank = new TreeMap<>();
        recorded.forEach((rank, records) -> byRank.put(
                rank,
                records.stream()
                        .collect(Collectors.toMap(FlightRecord::sequence, record -> record, (one, later) -> later))));
        long first = recorded.values().stream()
                .mapToLong(records -> records.isEmpty() ? 1 : records.getFirst().sequence())
                .max()
                .orElse(1);
        long last = recorded.values().stream()
                .filter(records -> !records.isEmpty())
                .mapToLong(records -> records.getLast().sequence())
                .max()
                .orElse(0);
        for (long sequence = first; sequence <= last; sequence++) {
            Optional<String> difference = differenceAt(sequence, byRank);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> differenceAt(long sequence, NavigableMap<Integer, Map<Long, FlightRecord>> byRank) {
        NavigableMap<String, List<Integer>> ranksByCall = new TreeMap<>();
        byRank.forEach((rank, calls) -> ranksByCall.merge(
                describe(calls.get(sequence)),
                List.of(rank),
                (one, other) -> Stream.concat(one.stream(), other.stream()).toList()));
        boolean allDone = byRank.values().stream().allMatch(calls -> {
            FlightRecord call = calls.get(sequence);
            return call != null && call.state().equals(CallState.DONE);
        });
        if (ranksByCall.size() == 1 && allDone) {
            return Optional.empty();
        }
        return Optional.of("call #" + sequence + ": "
                + ranksByCall.entrySet().stream()
                        .map(entry -> ranks(entry.getValue()) + " " + entry.getKey())
                        .collect(Collectors.joining("; ")));
    }

    private static String describe(@Nullable FlightRecord call) {
        if (call == null) {
            return "had not arrived";
        }
        return switch (call.state()) {
            case QUEUED, CANCELLED -> "did not begin " + call.what();
            case RUNNING -> "waited in " + call.what();
            case DONE -> "ended " + call.what();
            case FAILED -> "failed in " + call.what();
        };
    }

    private static String ranks(List<Integer> ranks) {
        String list = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (ranks.size() == 1 ? "rank " : "ranks ") + list;
    }
}
