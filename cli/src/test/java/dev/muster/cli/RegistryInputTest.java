// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RegistryInputTest {
    static final List<String> FORMS =
            List.of(MusterRun.H100X8, MusterRun.H100X7, MusterRun.FLAT, MusterRun.OWN, MusterRun.HWLOC);
    private static final int MUTATIONS = 1_500;

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void readsTheFlatForm() {
        Golden.assertMatches(
                "detect-flat-csv",
                pipe.run("detect", "--registry", MusterRun.FLAT, "-o", "csv").quietOutput());
    }

    @Test
    void readsMustersOwnForm() {
        Golden.assertMatches(
                "detect-own-form-csv",
                pipe.run("detect", "--registry", MusterRun.OWN, "-o", "csv").quietOutput());
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    void readsEveryFormFromStandardInput(String file) {
        assertThat(pipe.withStdin(MusterRun.read(Path.of(file)))
                        .run("detect", "--registry", "-", "-o", "wide")
                        .quietOutput())
                .isEqualTo(pipe.run("detect", "--registry", file, "-o", "wide").quietOutput());
    }

    @Test
    @Needs(Need.POSIX)
    void aPipeThatNobodyWritesToEndsWithTheTimeout(@TempDir Path folder) throws IOException, InterruptedException {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();

        Outcome outcome = pipe.run("detect", "--registry", fifo.toString(), "--timeout", "100ms");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("fifo", "within 0.1 s", "--timeout").hasLineCount(1);
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    void whatItSavesItReadsBackTheSame(String file) {
        String saved = pipe.run("detect", "--registry", file, "--json").quietOutput();

        assertThat(pipe.withStdin(saved)
                        .run("detect", "--registry", "-", "--json")
                        .quietOutput())
                .isEqualTo(saved);
    }

    @Test
    void readsAFileWhoseNameLooksLikeAnOption(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("-o");
        Files.copy(Path.of(MusterRun.H100X8), file);

        assertThat(pipe.run("diff", "--", file.toString(), MusterRun.H100X8).quietOutput())
                .isEqualTo("No differences.\n");
    }

    /// Damaged documents are read or refused with a sentence; nothing else happens.
    @ParameterizedTest
    @FieldSource("FORMS")
    void damagedDocumentsNeverCrash(String file) throws IOException {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        System.out.println("damagedDocumentsNeverCrash: -Dtests.seed=" + seed);
        Random random = new Random(seed);
        byte[] whole = Files.readAllBytes(Path.of(file));
        for (int i = 0; i < MUTATIONS; i++) {
            String damaged = new String(damage(whole, random), StandardCharsets.UTF_8);

            Outcome outcome = pipe.withStdin(damaged).run("detect", "--registry", "-");

            boolean refused = outcome.code() == ExitCode.NO
                    && outcome.out().isEmpty()
                    && outcome.err().matches("muster: cannot read a registry from standard input: [^\n]+\n");
            boolean read = outcome.code() == ExitCode.OK && outcome.err().isEmpty();
            assertThat(refused || read)
                    .as("mutation " + i + " of seed " + seed + ": " + outcome)
                    .isTrue();
        }
    }

    private static byte[] damage(byte[] whole, Random random) {
        byte[] copy = whole.clone();
        for (int changes = random.nextInt(3); changes >= 0; changes--) {
            int at = random.nextInt(copy.length);
            switch (random.nextInt(4)) {
                case 0 -> copy[at] = (byte) random.nextInt(256);
                case 1 -> copy[at] = (byte) "{}[]\",:0123456789-eE.ntf\\u ".charAt(random.nextInt(27));
                case 2 -> copy = Arrays.copyOf(copy, at + 1);
                default -> {
                    int from = random.nextInt(copy.length);
                    int length = Math.min(random.nextInt(40), copy.length - Math.max(from, at));
                    System.arraycopy(copy, from, copy, at, length);
                }
            }
        }
        return copy;
    }
}
