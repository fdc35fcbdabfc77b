// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The measurements that the coefficients were fitted to: the measurements in the jar, and those that stay in the
/// repository because their source has no licence that would let them be passed on.
public final class AllMeasurements {
    private static final Path FOLDER = Path.of("../measurements");

    private AllMeasurements() {}

    /// Returns both together.
    public static MeasuredTables tables() {
        Map<String, String> texts = new HashMap<>();
        for (String name : new String[] {
            MeasuredTables.INFERENCE,
            MeasuredTables.SERVING,
            MeasuredTables.TRAINING,
            MeasuredTables.MEMORY,
            MeasuredTables.OTHER
        }) {
            texts.put(name, read(FOLDER.resolve(name)));
        }
        return MeasuredTables.builtIn().with(MeasuredTables.of(texts));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
