// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Recorded and written texts that tests read.
public final class Fixtures {
    private static final Path OWN = Path.of("src/test/resources/fixtures");

    private Fixtures() {}

    public static String own(String name) throws IOException {
        return Files.readString(OWN.resolve(name));
    }

    /// A recording; without the folder of recordings the test is skipped, and says so.
    public static String shared(String name) throws IOException {
        return new String(Files.readAllBytes(Need.recording("fixtures/fleet/" + name)), StandardCharsets.UTF_8);
    }
}
