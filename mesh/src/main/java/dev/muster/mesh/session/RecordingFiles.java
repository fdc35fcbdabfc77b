package dev.muster.mesh.session;

import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.store.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Recordings as files, one for each group of a rank: `GROUP-RANK.json`.
final class RecordingFiles {
    private RecordingFiles() {}

    static void write(Path folder, List<FlightDump> recordings) throws IOException {
        for (FlightDump recording : recordings) {
            // Names of groups are free text; files of one folder have plain names.
            String name = recording.group().replaceAll("[^A-Za-z0-9_.-]", "_") + "-" + recording.rank() + ".json";
            WholeFile.write(folder, name, recording.toJson().toIndentedText() + "\n");
        }
    }
}
