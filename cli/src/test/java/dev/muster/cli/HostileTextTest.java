// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Foreign names, which must not control the terminal.
class HostileTextTest {
    private static final String HOSTILE = "src/test/resources/fixtures/registry/hostile-names__synthetic.own.json";
    private static final String OTHER = "src/test/resources/fixtures/registry/hostile-names-other__synthetic.own.json";

    static final List<String> FOR_PEOPLE = List.of(
            "detect --registry " + HOSTILE,
            "detect --registry " + HOSTILE + " -o wide",
            "detect --registry " + HOSTILE + " -o name",
            "devices --registry " + HOSTILE + " --device nothing",
            "diff " + HOSTILE + " " + OTHER,
            "diff " + HOSTILE + " " + MusterRun.H100X8);

    static final List<String> FOR_MACHINES = List.of(
            "detect --registry " + HOSTILE + " -o csv",
            "detect --registry " + HOSTILE + " -o tsv",
            "detect --registry " + HOSTILE + " -o json",
            "detect --registry " + HOSTILE + " -o yaml",
            "diff " + HOSTILE + " " + OTHER + " --json");

    @ParameterizedTest
    @FieldSource("FOR_PEOPLE")
    void textForPeopleHasNothingThatSteersATerminalOrTurnsWritingAround(String words) {
        assertPrintsNone(words, point -> isControl(point) || isInvisible(point));
    }

    @ParameterizedTest
    @FieldSource("FOR_MACHINES")
    void textForMachinesHasNothingThatSteersATerminalOrTurnsWritingAround(String words) {
        assertPrintsNone(words, point -> (isControl(point) && point != '\t') || isInvisible(point));
        assertPrintsNone(MusterRun.inPipe(), words, point -> (isControl(point) && point != '\t') || isInvisible(point));
    }

    private static void assertPrintsNone(String words, IntPredicate forbidden) {
        assertPrintsNone(MusterRun.onTerminal(100), words, forbidden);
    }

    private static void assertPrintsNone(MusterRun muster, String words, IntPredicate forbidden) {
        Outcome outcome = muster.run(words.split(" "));

        assertThat((outcome.out() + outcome.err())
                        .codePoints()
                        .filter(forbidden)
                        .distinct()
                        .boxed())
                .extracting(Integer::toHexString)
                .isEmpty();
    }

    private static boolean isControl(int point) {
        return point != '\n' && Character.getType(point) == Character.CONTROL;
    }

    private static boolean isInvisible(int point) {
        int type = Character.getType(point);
        return type == Character.FORMAT || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
    }
}
