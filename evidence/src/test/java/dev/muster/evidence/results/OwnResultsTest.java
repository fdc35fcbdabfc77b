// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.evidence.results.form.ResultsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// Every form in a small file of our own.
class OwnResultsTest {
    private static final String[] WRONG = {
        "null", "true", "-1", "0", "1e400", "\"\"", "[]", "{}", "NaN", "X.XX", "\"a\"", "99999999999999999999", "|", ","
    };

    @Test
    void everyFormIsRead() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Map.Entry<String, String> file : ExpectedRuns.table("own.txt").entrySet()) {
            ExpectedRuns.check(file.getKey(), text(file.getKey()), file.getValue(), softly);
        }
        softly.assertAll();
    }

    /// Any drawn file gives runs or a sentence with the reason.
    @RepeatedTest(40)
    void damagedFilesAreReadOrRefused(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        for (String file : files()) {
            String damaged = damage(text(file), random);
            try {
                assertThat(ResultForms.read(damaged)).as(file).isNotEmpty();
            } catch (ResultsException e) {
                assertThat(e.getMessage()).as(file).isNotBlank().doesNotContain("\n");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + repetition.getCurrentRepetition() + ", " + file + ": " + damaged, e);
            }
        }
    }

    private static String damage(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        switch (random.nextInt(4)) {
            case 0 -> damaged.setLength(random.nextInt(text.length()));
            case 1 -> {
                int from = random.nextInt(text.length());
                damaged.delete(from, from + random.nextInt(text.length() - from));
            }
            case 2 -> damaged.setCharAt(random.nextInt(text.length()), (char) (32 + random.nextInt(95)));
            default -> replaceNumbers(damaged, random);
        }
        return damaged.toString();
    }

    private static void replaceNumbers(StringBuilder text, Random random) {
        for (int i = text.length() - 1; i > 0; i--) {
            boolean isStart = Character.isDigit(text.charAt(i)) && !Character.isLetterOrDigit(text.charAt(i - 1));
            if (isStart && random.nextInt(5) == 0) {
                int end = i;
                while (end < text.length() && (Character.isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
                    end++;
                }
                text.replace(i, end, WRONG[random.nextInt(WRONG.length)]);
            }
        }
    }

    private static List<String> files() throws IOException {
        return new ArrayList<>(ExpectedRuns.table("own.txt").keySet());
    }

    private static String text(String file) throws IOException {
        try (InputStream stream = OwnResultsTest.class.getResourceAsStream("own/" + file)) {
            assertThat(stream).as(file).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
