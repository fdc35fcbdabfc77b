// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.StartGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StartGroupTest {
    private static final Commands COMMANDS = new Commands("25");

    @Test
    void theTableNamesEachCommandAsItNamesItself() {
        assertThat(COMMANDS.titles()).extracting(CommandTitle::name).isEqualTo(COMMANDS.names());
    }

    /// The rest of a line behind its words, such as the heap of a group, belongs to the launcher.
    @Test
    void theLauncherHasALineForEachGroupWithItsCommands() throws IOException {
        String launcher = Files.readString(Path.of("../muster"));
        int start = launcher.indexOf("        -*) continue ;;\n");
        String lines = launcher.substring(start, launcher.indexOf("    esac\n", start));

        List<String> expected = new ArrayList<>(List.of("-*) continue ;;"));
        for (StartGroup group : EnumSet.complementOf(EnumSet.of(StartGroup.USUAL, StartGroup.RECORDED))) {
            List<String> names =
                    COMMANDS.titles(group).stream().map(CommandTitle::name).toList();
            String setting = group.cache().isEmpty() ? "long=yes" : "group=" + group.cache();
            expected.add(String.join(" | ", names) + ") " + setting);
        }
        assertThat(lines.lines().map(String::strip))
                .hasSameSizeAs(expected)
                .allSatisfy(line -> assertThat(expected).anyMatch(line::startsWith))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LONG", "RECORDED"})
    void everyCacheIsRecordedByCallsOfItsCommands(StartGroup group) {
        List<CommandTitle> recorded = COMMANDS.titles(group).stream()
                .filter(title -> !title.recorded().isEmpty())
                .toList();

        assertThat(recorded).isNotEmpty();
        assertThat(StartGroup.ofCache(group.cache())).isEqualTo(group);
    }
}
