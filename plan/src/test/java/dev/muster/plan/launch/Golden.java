// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whole expected outputs, kept as files. `mvn test -Dgolden.update=true` writes them anew; read the difference
/// before committing it.
final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    static void assertMatches(String name, String actual) {
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (Boolean.getBoolean("golden.update")) {
                Files.writeString(file, actual);
            }
            assertThat(actual).as(file + " (update with -Dgolden.update=true)").isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
