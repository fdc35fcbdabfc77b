package dev.muster.mesh.session;

import dev.muster.mesh.collective.FlightRecord;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Where ranks leave the recordings of their groups when the mesh has failed, so that they can be laid side by side.
final class RecordingBoard {
    /// How many calls are left there; what led to a failure lies at the end.
    private static final int LAST = 100;

    private static final int FIELDS = 5;

    private final Store store;

    /// @param store keys of this incarnation
    RecordingBoard(Store store) {
        this.store = store;
    }

    void leave(String group, int rank, List<FlightRecord> records) {
        String lines = records.subList(Math.max(0, records.size() - LAST), records.size()).stream()
                .map(RecordingBoard::line)
                .collect(Collectors.joining("\n"));
        store.set(prefix(group) + rank, lines.getBytes(StandardCharsets.UTF_8));
    }

    /// The recordings that have been left, by rank of the world.
    Map<Integer, List<FlightRecord>> read(String group) {
        Map<Integer, List<FlightRecord>> recordings = new TreeMap<>();
        for (String key : store.keys(prefix(group))) {
            store.find(key)
                    .ifPresent(value -> recordings.put(
                            Integer.valueOf(key.substring(prefix(group).length())),
                            parse(new String(value, StandardCharsets.UTF_8))));
        }
        return recordings;
    }

    private static String prefix(String group) {
        return "recording/" + group + "/";
    }

    private static String line(FlightRecord record) {
        return record.sequence() + "\t" + record.state().text() + "\t" + record.startNanos() + "\t" + record.nanos()
                + "\t" + record.what();
    }

    private static List<FlightRecord> parse(String lines) {
        List<FlightRecord> records = new ArrayList<>();
        for (String line : lines.split("\n")) {
            String[] fields = line.split("\t", FIELDS);
            if (fields.length == FIELDS) {
                records.add(new FlightRecord(
                        Long.parseLong(fields[0]),
                        fields[4],
                        Long.parseLong(fields[2]),
                        Long.parseLong(fields[3]),
                        FlightRecord.State.parse(fields[1])));
            }
        }
        return records;
    }
}
