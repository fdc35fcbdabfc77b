// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.session.CacheFolder;
import dev.muster.cli.session.Session;
import dev.muster.core.json.DocumentException;
import dev.muster.detect.file.PrivateFile;
import dev.muster.evidence.measured.MeasuredRuns;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The file in which runs are kept that plans learn from, beside what `calibrate` measured.
public final class RunStore {
    private static final String NAME = "runs.json";

    private RunStore() {}

    /// Returns the runs; none if nothing is kept or the file cannot be read, which is said.
    static MeasuredRuns read(Session session) {
        Optional<Path> folder = CacheFolder.of(session.host().variables());
        try {
            return folder.isEmpty() ? MeasuredRuns.NONE : read(PrivateFile.of(folder.get(), NAME));
        } catch (IOException | DocumentException e) {
            session.note("muster: the stored runs cannot be read, so predictions are not corrected: " + Printable.of(e)
                    + "; read them again with 'muster calibrate --from'");
            return MeasuredRuns.NONE;
        }
    }

    private static MeasuredRuns read(PrivateFile file) throws IOException {
        return file.read(MeasuredRuns.MAX_BYTES)
                .map(content -> MeasuredRuns.read(content.bytes()))
                .orElse(MeasuredRuns.NONE);
    }

    /// Adds runs to those that are kept.
    ///
    /// @return true if they are kept; if not, the reason is said
    public static boolean add(List<MeasuredRuns.Kept> runs, Session session) {
        Optional<Path> folder = CacheFolder.of(session.host().variables());
        if (folder.isEmpty()) {
            session.note("muster: not stored: neither XDG_CACHE_HOME nor HOME is set (use --no-store to skip storing)");
            return false;
        }
        PrivateFile file = PrivateFile.of(folder.get(), NAME);
        try {
            MeasuredRuns all = known(file).with(runs);
            file.write((all.toJson().toIndentedText() + "\n").getBytes(StandardCharsets.UTF_8));
            session.note("muster: stored in "
                    + Printable.of(folder.get().resolve(NAME).toString()));
            return true;
        } catch (IOException | DocumentException e) {
            session.note("muster: not stored: " + Printable.of(e));
            return false;
        }
    }

    /// Returns a file that is broken is replaced; one that a newer version wrote is not.
    private static MeasuredRuns known(PrivateFile file) throws IOException {
        try {
            return read(file);
        } catch (DocumentException e) {
            if (e.code() == DocumentException.DocumentErrorCode.NEWER_SCHEMA) {
                throw e;
            }
            return MeasuredRuns.NONE;
        }
    }
}
