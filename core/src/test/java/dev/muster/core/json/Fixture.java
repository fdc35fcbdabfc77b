// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Documents of ai-hwaccel, kept as files.
final class Fixture {
    /// Written by release 1.2.0, in the tagged form.
    static final String TAGGED = "tpu-v5e-16__1.2.0__warnings.json";

    /// Schema 5 of the flat form: one profile of each type id.
    static final String FLAT = "every-kind__2.3.18__synthetic.json";

    /// Schema 4 of the flat form, in which types have names and no numbers.
    static final String FLAT_WITHOUT_NUMBERS = "cpu-and-cuda__2.3.1__synthetic.json";

    private Fixture() {}

    static byte[] bytes(String name) {
        String path = "/fixtures/ai-hwaccel/registry/" + name;
        try (InputStream in = Fixture.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("missing fixture " + path);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8).strip();
    }
}
