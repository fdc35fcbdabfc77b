// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Provenance;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/// Input shared by fuzz tests.
public final class FuzzText {
    /// More devices than any reader may find.
    public static final int DEVICES = 1024;

    /// A place to have read something from.
    public static final Provenance SOURCE =
            Provenance.of("fuzz", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    private FuzzText() {}

    /// The text of some bytes, made as that of a tool's output is.
    public static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    /// Fails where more was found than there can be.
    public static void atMost(int limit, Collection<?> found) {
        assertThat(found).hasSizeLessThanOrEqualTo(limit);
    }

    /// An exception that the reader declares; it has to say something.
    public static void declared(Exception expected) {
        assertThat(expected.getMessage()).isNotBlank();
    }
}
