package dev.muster.mesh.session;

import dev.muster.core.json.DocumentException;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.FlightRecord;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Where ranks leave the recordings of their groups when the mesh has failed, so that they can be laid side by side.
final class RecordingBoard {
    /// How many calls are left there; what led to a failure lies at the end.
    private static final int LAST = 100;

    private final Store store;

    /// @param store keys of this incarnation
    RecordingBoard(Store store) {
        this.store = store;
    }

    void leave(FlightDump recording) {
        String text = recording.last(LAST).toJson().toText();
        store.set(prefix(recording.group()) + recording.rank(), text.getBytes(StandardCharsets.UTF_8));
    }

    /// The recordings that have been left, by rank of the world. What cannot be read was not left.
    Map<Integer, List<FlightRecord>> read(String group) {
        Map<Integer, List<FlightRecord>> recordings = new TreeMap<>();
        for (String key : store.keys(prefix(group))) {
            store.find(key).ifPresent(value -> {
                try {
                    FlightDump recording = FlightDump.parse(new String(value, StandardCharsets.UTF_8));
                    recordings.put(recording.rank(), recording.records());
                } catch (DocumentException e) {
                    return;
                }
            });
        }
        return recordings;
    }

    private static String prefix(String group) {
        return "recording/" + group + "/";
    }
}
