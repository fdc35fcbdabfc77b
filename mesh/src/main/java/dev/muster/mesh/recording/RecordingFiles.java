// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.recording;

import dev.muster.mesh.collective.FlightDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// Recordings as files, one for each group of a rank: `GROUP-RANK.json`. Others see a file whole or not at all.
public final class RecordingFiles {
    private RecordingFiles() {}

    /// Reports whether files can be written in a folder, which is made if it is not there.
    public static boolean canWriteIn(Path folder) {
        try {
            Files.createDirectories(folder);
            return Files.isWritable(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /// Writes recordings to a folder, which is made if it is not there; older files of their names are replaced.
    public static void write(Path folder, List<FlightDump> recordings) throws IOException {
        Files.createDirectories(folder);
        for (FlightDump recording : recordings) {
            // Names of groups are free text; files of one folder have plain names.
            String name = recording.group().replaceAll("[^A-Za-z0-9_.-]", "_") + "-" + recording.rank() + ".json";
            Path part = folder.resolve(name + ".part");
            Files.writeString(part, recording.toJson().toIndentedText() + "\n", StandardCharsets.UTF_8);
            Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
