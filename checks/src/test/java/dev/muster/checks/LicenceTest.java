// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every file says under which licence it is: sources in a line of their own, others by `REUSE.toml`.
class LicenceTest {
    private static final Path ROOT = Path.of("..");
    private static final String LINE = "SPDX-License-Identifier: Apache-2.0";
    /// The licence stands at the top: behind `#!`, `<?xml` or `<!doctype` at most.
    private static final int TOP = 300;

    private static final Pattern LIST = Pattern.compile("(?s)path = \\[(.*?)]");
    private static final Pattern GLOB = Pattern.compile("\"([^\"]+)\"");
    private static final List<String> SOURCES =
            List.of(".java", ".js", ".css", ".html", ".py", ".c", ".cc", ".h", "pom.xml");
    private static final List<String> NOT_OURS = List.of(".git", "target", "dist", ".idea", ".vscode", ".m2");

    @Test
    void everyFileHasALicence() throws IOException {
        List<PathMatcher> others = others();
        List<String> bare = new ArrayList<>();
        for (Path file : files()) {
            boolean said = hasLine(file) || (!isSource(file) && others.stream().anyMatch(glob -> glob.matches(file)));
            if (!said) {
                bare.add(file.toString());
            }
        }
        assertThat(bare).as("put '%s' at the top, or run scripts/format", LINE).isEmpty();
    }

    private static boolean isSource(Path file) {
        String path = file.toString();
        boolean isRead = path.contains("/src/test/resources/");
        return !isRead && SOURCES.stream().anyMatch(path::endsWith);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile)
                    .map(ROOT::relativize)
                    .filter(file -> !isNotOurs(file))
                    .toList();
        }
    }

    private static boolean isNotOurs(Path file) {
        for (Path part : file) {
            if (NOT_OURS.contains(part.toString())) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasLine(Path file) throws IOException {
        try (var stream = Files.newInputStream(ROOT.resolve(file))) {
            return new String(stream.readNBytes(TOP), StandardCharsets.UTF_8).contains(LINE);
        }
    }

    private static List<PathMatcher> others() throws IOException {
        String text = Files.readString(ROOT.resolve("REUSE.toml"));
        return LIST.matcher(text)
                .results()
                .map(MatchResult::group)
                .flatMap(list -> GLOB.matcher(list).results().map(glob -> glob.group(1)))
                .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
                .toList();
    }
}
