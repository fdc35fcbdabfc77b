// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.core.json.DocumentException;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.recording.FlightComparison;
import dev.muster.mesh.recording.RecordingFiles;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The place where ranks leave the recordings of their groups when the mesh has failed, so that they can be laid side
/// by side: in the store, and in a folder if one is set.
///
/// @param store keys of this incarnation
record SharedRecordings(Store store, Optional<Path> folder) {
    /// The number of calls that are left in the store; what led to a failure lies at the end.
    private static final int LAST = 100;

    /// Leaves recordings where it can: the failure itself matters more than its record.
    void leave(List<FlightDump> recordings) {
        folder.ifPresent(where -> {
            try {
                RecordingFiles.write(where, recordings);
            } catch (IOException e) {
                return; // the folder could be written to when the rank joined
            }
        });
        try {
            for (FlightDump recording : recordings) {
                String text = recording.last(LAST).toJson().toText();
                store.set(prefix(recording.group()) + recording.rank(), text.getBytes(StandardCharsets.UTF_8));
            }
        } catch (StoreException e) {
            return; // without a store they could not be read
        }
    }

    /// The first call on which members of a group went apart, from what others have left and this rank has recorded.
    Optional<String> findDivergence(String group, List<FlightDump> own) {
        try {
            Stream<FlightDump> mine =
                    own.stream().filter(recording -> recording.group().equals(group));
            return FlightComparison.firstDivergence(
                    Stream.concat(read(group), mine).toList());
        } catch (StoreException e) {
            return Optional.empty(); // one recording alone shows nothing
        }
    }

    private Stream<FlightDump> read(String group) {
        return store.keys(prefix(group)).stream()
                .flatMap(key -> store.find(key).stream())
                .flatMap(value -> parse(new String(value, StandardCharsets.UTF_8)).stream());
    }

    /// Returns a recording that cannot be read counts as absent.
    private static Optional<FlightDump> parse(String text) {
        try {
            return Optional.of(FlightDump.parse(text));
        } catch (DocumentException e) {
            return Optional.empty();
        }
    }

    private static String prefix(String group) {
        return "recording/" + group + "/";
    }
}
