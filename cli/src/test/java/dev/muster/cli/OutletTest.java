// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Outlet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutletTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final PrintStream stderr = new PrintStream(errors, true, StandardCharsets.UTF_8);

    @Test
    void writesTheWholeTextAsUtf8() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(new Outlet(out, stderr, false).write("20 °C →\n", "")).isEqualTo(ExitCode.OK);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("20 °C →\n");
        assertThat(errors.size()).isZero();
    }

    @Test
    void aReaderThatWentAwayIsNoNews() {
        assertThat(failing("Broken pipe").write("text", "")).isEqualTo(141);
        assertThat(errors.size()).isZero();
    }

    @Test
    void aFullDiskIsNamed() {
        assertThat(failing("No space left on device").write("text", "")).isEqualTo(74);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualTo("muster: cannot write to standard output: No space left on device\n");
    }

    @Test
    void aFailureWithoutWordsIsOneSentenceToo() {
        assertThat(failing(null).write("text", "")).isEqualTo(74);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .matches("muster: cannot write to standard output: [^\n]+\n");
    }

    @Test
    void aFailureToFlushCountsAsAFailureToWrite() {
        OutputStream buffered = new ByteArrayOutputStream() {
            @Override
            public void flush() throws IOException {
                throw new IOException("Input/output error");
            }
        };

        assertThat(new Outlet(buffered, stderr, false).write("text", "")).isEqualTo(74);
    }

    private Outlet failing(@Nullable String message) {
        return new Outlet(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException(message);
                    }
                },
                stderr,
                false);
    }
}
