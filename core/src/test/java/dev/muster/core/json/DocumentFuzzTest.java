// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RandomRegistry;
import dev.muster.core.Trials;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Damages valid documents of the three forms. Readers may take what comes or refuse it with a [DocumentException];
/// nothing else may come out, and nothing may take long.
class DocumentFuzzTest {
    private static final int TRIALS = 200;
    private static final int INPUTS_EACH = 100;
    private static final Duration LONGEST_TRIAL = Duration.ofSeconds(10);
    private static final long LONGEST_INPUT_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int MOST_DAMAGES = 4;
    private static final int STEP = 3;
    private static final String[] FRAGMENTS = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\ud800",
        "-",
        "- ",
        "0",
        "1e",
        "1e999",
        "-1",
        ".5",
        "null",
        "true",
        "18446744073709551616",
        "1e-99999999999",
        "0e99999999999",
        "\u0000",
        "\n",
        "ä",
        "\"schema\":1,",
        "\"devices\":[],",
        "\"profiles\":[{\"family\":0}],",
        "[[[[[[[[",
        "{\"a\":{\"a\":{\"a\":"
    };

    @Test
    void damagedDocumentsAreReadOrRefused() {
        Trials.run(TRIALS, random -> {
            byte[] valid = validDocument(random);
            assertTimeoutPreemptively(LONGEST_TRIAL, () -> {
                for (int i = 0; i < INPUTS_EACH; i++) {
                    examine(damage(valid, random));
                }
            });
        });
    }

    @Test
    void truncatedDocumentsAreReadOrRefused() {
        for (String fixture : new String[] {Fixture.TAGGED, Fixture.FLAT, Fixture.FLAT_WITHOUT_NUMBERS}) {
            byte[] whole = Fixture.bytes(fixture);
            for (int length = 0; length < whole.length; length += STEP) {
                examine(Arrays.copyOf(whole, length));
            }
        }
    }

    @Test
    void noiseIsReadOrRefused() {
        Trials.run(TRIALS, random -> {
            for (int i = 0; i < INPUTS_EACH / 10; i++) {
                StringBuilder noise = new StringBuilder();
                for (int j = random.nextInt(20); j > 0; j--) {
                    noise.append(FRAGMENTS[random.nextInt(FRAGMENTS.length)]);
                }
                byte[] text = noise.toString().getBytes(StandardCharsets.UTF_8);
                examine(text);
                examineTree(text);
            }
        });
    }

    private static byte[] validDocument(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> RegistryDocument.write(RandomRegistry.own(random)).getBytes(StandardCharsets.UTF_8);
            case 1 ->
                ReferenceDocument.writeIndented(RandomRegistry.tagged(random, ReferenceReader.SOURCE))
                        .getBytes(StandardCharsets.UTF_8);
            case 2 -> Fixture.bytes(Fixture.TAGGED);
            default -> Fixture.bytes(Fixture.FLAT);
        };
    }

    private static byte[] damage(byte[] valid, Random random) {
        byte[] text = valid.clone();
        for (int i = 1 + random.nextInt(MOST_DAMAGES); i > 0; i--) {
            int at = random.nextInt(text.length + 1);
            text = switch (random.nextInt(5)) {
                case 0 -> flipBit(text, random);
                case 1 -> splice(text, at, at, new byte[] {(byte) random.nextInt()});
                case 2 -> splice(text, at, Math.min(text.length, at + 1 + random.nextInt(8)), new byte[0]);
                case 3 ->
                    splice(text, at, at, FRAGMENTS[random.nextInt(FRAGMENTS.length)].getBytes(StandardCharsets.UTF_8));
                default -> splice(text, at, at, Arrays.copyOfRange(text, at, Math.min(text.length, at + 40)));
            };
        }
        return text;
    }

    private static byte[] flipBit(byte[] text, Random random) {
        if (text.length > 0) {
            text[random.nextInt(text.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return text;
    }

    private static byte[] splice(byte[] text, int from, int to, byte[] middle) {
        byte[] result = Arrays.copyOf(text, from + middle.length + text.length - to);
        System.arraycopy(middle, 0, result, from, middle.length);
        System.arraycopy(text, to, result, from + middle.length, text.length - to);
        return result;
    }

    private static void examine(byte[] document) {
        long start = System.nanoTime();
        try {
            findRegistry(document).ifPresent(DocumentFuzzTest::assertReadsBack);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("input: " + new String(document, StandardCharsets.UTF_8), e);
        }
        long taken = System.nanoTime() - start;
        if (taken > LONGEST_INPUT_NANOS) {
            throw new AssertionError(taken + " ns for the input " + new String(document, StandardCharsets.UTF_8));
        }
    }

    private static void examineTree(byte[] document) {
        try {
            JsonValue value = JsonValue.parse(document);
            if (!JsonValue.parse(value.toText()).equals(value)) {
                throw new AssertionError("input: " + new String(document, StandardCharsets.UTF_8));
            }
        } catch (DocumentException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("a refusal without a reason", e);
            }
        }
    }

    private static Optional<AcceleratorRegistry> findRegistry(byte[] document) {
        try {
            return Optional.of(RegistryDocument.read(document));
        } catch (DocumentException _) {
            return Optional.empty();
        }
    }

    private static void assertReadsBack(AcceleratorRegistry registry) {
        byte[] own = RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8);
        if (!RegistryDocument.read(own).equals(registry)) {
            throw new AssertionError("what was read is written as " + new String(own, StandardCharsets.UTF_8));
        }
    }
}
