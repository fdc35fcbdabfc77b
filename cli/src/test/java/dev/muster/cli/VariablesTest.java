// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Of the environment only what the manual lists is read.
class VariablesTest {
    private static final String MANUAL = ManPage.text(new Commands("25").specs());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "detect",
                "detect --json",
                "doctor",
                "topology",
                "models",
                "plan llama-3.1-8b --synthetic l40s:2",
                "fit llama-3.1-8b --synthetic l40s:2",
                "help"
            })
    void onlyVariablesOfTheManualAreRead(String words) {
        Noting variables = new Noting();

        new MusterRun(variables, true, MusterRun.inPipe().files(), "", _ -> false).run(List.of(words.split(" ")));

        assertThat(variables.asked)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(MANUAL).containsPattern("\\b" + name + "\\b"));
    }

    @Test
    void nobodyGoesThroughAllVariables() {
        Noting variables = new Noting();

        new MusterRun(variables, true, MusterRun.inPipe().files(), "", _ -> false).run("detect");

        assertThat(variables.listed).isFalse();
    }

    /// No variable is set, and each that is asked for is noted.
    private static final class Noting extends AbstractMap<String, String> {
        private final Set<String> asked = new ConcurrentSkipListSet<>();
        private volatile boolean listed;

        @Override
        public @Nullable String get(Object name) {
            asked.add(name.toString());
            return null;
        }

        @Override
        public boolean containsKey(Object name) {
            asked.add(name.toString());
            return false;
        }

        @Override
        public Set<Map.Entry<String, String>> entrySet() {
            listed = true;
            return Set.of();
        }
    }
}
