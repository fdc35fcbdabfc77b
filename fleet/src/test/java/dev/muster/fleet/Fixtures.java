// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// Recorded and written texts that tests read.
public final class Fixtures {
    private static final Path OWN = Path.of("src/test/resources/fixtures");
    /// Recordings of real clusters, which lie beside the checkout.
    private static final Path SHARED = Path.of("../../shared/fixtures/fleet");

    private Fixtures() {}

    public static String own(String name) throws IOException {
        return Files.readString(OWN.resolve(name));
    }

    /// A recording; without the folder of recordings the test is skipped, and says so.
    public static String shared(String name) throws IOException {
        if (!Files.isDirectory(SHARED)) {
            String message = "NOT TESTED on the real recording " + name + ": there is no folder "
                    + SHARED.toAbsolutePath().normalize();
            System.out.println("!!! " + message);
            Assumptions.abort(message);
        }
        return new String(Files.readAllBytes(SHARED.resolve(name)), StandardCharsets.UTF_8);
    }
}
