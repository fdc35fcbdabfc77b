package dev.muster.mesh.session;

import dev.muster.mesh.collective.FlightDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// Recordings as files, one for each group of a rank: `GROUP-RANK.json`.
final class RecordingFiles {
    private RecordingFiles() {}

    static void write(Path folder, List<FlightDump> recordings) throws IOException {
        Files.createDirectories(folder);
        for (FlightDump recording : recordings) {
            // Names of groups are free text; files of one folder have plain names.
            String name = recording.group().replaceAll("[^A-Za-z0-9_.-]", "_") + "-" + recording.rank() + ".json";
            Path whole = folder.resolve(name);
            Path part = folder.resolve(name + ".part");
            Files.writeString(part, recording.toJson().toIndentedText() + "\n", StandardCharsets.UTF_8);
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
