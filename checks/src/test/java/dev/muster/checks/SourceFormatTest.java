// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SourceFormatTest {
    @Test
    void everySourceIsFormatted() throws IOException {
        assertThat(new SourceFormat().findUnformatted(Path.of("..")))
                .as("run scripts/format")
                .isEmpty();
    }
}
