// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The page for users of the references names what exists.
class ComingFromTest {
    private static final Path PAGE = Path.of("../docs/coming-from.md");
    private static final int ROWS = 40;
    private static final List<String> MODULES = List.of("core", "detect", "model", "plan", "mesh");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!-|ai-hwaccel |kapsl-hal )(.+) \\| (.+) \\|$");
    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w+)((?:\\.\\w+(?:\\([^)`]*\\))?)*)`");
    private static final Pattern MEMBER = Pattern.compile("\\.(\\w+)");

    private static final Map<String, Set<String>> MEMBERS = members();

    private static Map<String, Set<String>> members() {
        Map<String, Set<String>> members = new TreeMap<>();
        try {
            for (String module : MODULES) {
                for (ExportedApi.Name name : ExportedApi.names(module)) {
                    members.computeIfAbsent(name.owner().getSimpleName(), _ -> new TreeSet<>())
                            .add(name.name());
                }
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return members;
    }

    static Stream<String> rows() throws IOException {
        return ROW.matcher(Files.readString(PAGE)).results().map(row -> row.group(1) + " | " + row.group(2));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatARowNamesIsExported(String row) {
        String ours = row.substring(row.indexOf(" | "));
        List<String> unknown = TYPE.matcher(ours)
                .results()
                .flatMap(one -> unknown(one.group(1), one.group(2)))
                .toList();
        assertThat(unknown).isEmpty();
        assertThat(TYPE.matcher(ours).find() || ours.contains(".md") || ours.contains("System.Logger"))
                .isTrue();
    }

    @Test
    void theTableHasAllRows() throws IOException {
        assertThat(rows()).hasSizeGreaterThanOrEqualTo(ROWS);
    }

    /// The first member is of the type; a second one, such as in `Detector.ofThisHost().detect()`, of any.
    private static Stream<String> unknown(String type, String calls) {
        Set<String> own = MEMBERS.get(type);
        if (own == null) {
            return Stream.of(type);
        }
        Matcher members = MEMBER.matcher(calls.replaceAll("\\([^)]*\\)", ""));
        boolean isFirst = true;
        Set<String> unknown = new TreeSet<>();
        while (members.find()) {
            String member = members.group(1);
            boolean isKnown = isFirst
                    ? own.contains(member)
                    : MEMBERS.values().stream().anyMatch(names -> names.contains(member));
            if (!isKnown) {
                unknown.add(type + "." + member);
            }
            isFirst = false;
        }
        return unknown.stream();
    }
}
