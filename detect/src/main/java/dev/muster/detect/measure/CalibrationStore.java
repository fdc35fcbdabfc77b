// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.measure;

import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.detect.file.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Keeps calibrations in a file of the user's own, which is replaced atomically and trusted only if no other user
/// may write to it. Safe to share between threads and processes: of two that add at the same time,
/// one may be lost, and the file stays whole.
public final class CalibrationStore {
    private static final String NAME = "calibration.json";

    private final Path path;
    private final PrivateFile file;

    private CalibrationStore(Path folder) {
        this.path = folder.resolve(NAME);
        this.file = PrivateFile.of(folder, NAME);
    }

    /// A store that may or may not be there.
    ///
    /// @param folder a folder of Muster's own, such as `~/.cache/muster`; made on the first write
    public static CalibrationStore of(Path folder) {
        return new CalibrationStore(folder);
    }

    /// The file.
    public Path path() {
        return path;
    }

    /// Returns the stored calibrations; none if the file does not exist.
    ///
    /// @throws IOException if the file cannot be read, or another user could have written it
    /// @throws DocumentException if it is not a calibration
    public Optional<CalibrationDocument> read() throws IOException {
        return file.read(CalibrationDocument.MAX_BYTES).map(content -> CalibrationDocument.read(content.bytes()));
    }

    /// Adds what was measured now, in place of what was known of the same devices. A file that is broken
    /// is replaced; one that a newer version wrote is not.
    ///
    /// @throws IOException if the file cannot be written, or another user could have written it
    /// @throws DocumentException if a newer version wrote it
    public void add(CalibrationDocument measured) throws IOException {
        CalibrationDocument all = known().updatedBy(measured);
        file.write((all.toJson().toIndentedText() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private CalibrationDocument known() throws IOException {
        CalibrationDocument nothing = new CalibrationDocument(List.of(), List.of());
        try {
            return read().orElse(nothing);
        } catch (DocumentException e) {
            if (e.code() == DocumentException.DocumentErrorCode.NEWER_SCHEMA) {
                throw e;
            }
            return nothing;
        }
    }
}
