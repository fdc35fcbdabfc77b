// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every promise of SECURITY.md has its proof: a test, by class and method, or a script. Proofs stand in
/// `security-promises.txt`: a line of words of the page, then its proofs, each behind a dash. Where a statement can
/// only be asked of people, or describes what others do, the line says `(no promise)`.
class SecurityPromisesTest {
    private static final Path PAGE = Path.of("../SECURITY.md");
    private static final Path PROOFS = Path.of("src/test/resources/security-promises.txt");
    private static final Pattern TEST = Pattern.compile("([A-Za-z0-9]+)#([A-Za-z0-9_]+)");
    /// A promise ends with a full stop, a semicolon, or the cell of a table.
    private static final Pattern END = Pattern.compile("(?<=[.;])\\s+|\\s*\\|\\s*");

    @Test
    void everyPromiseIsListedAndNoOther() throws IOException {
        String page = normal(Files.readString(PAGE));
        Map<String, List<String>> proofs = proofs();

        assertThat(proofs.keySet()).allSatisfy(promise -> assertThat(page).contains(promise));
        assertThat(statements(page))
                .hasSizeGreaterThan(40)
                .allSatisfy(statement ->
                        assertThat(proofs.keySet()).as("words of: " + statement).anyMatch(statement::contains));
    }

    @Test
    void everyProofIsThere() throws IOException {
        Map<String, String> sources = sources();
        proofs().forEach((promise, tests) -> {
            assertThat(tests).as(promise).isNotEmpty();
            for (String proof : tests) {
                Matcher test = TEST.matcher(proof);
                if (test.matches()) {
                    assertThat(sources.getOrDefault(test.group(1), ""))
                            .as(promise + ": " + proof)
                            .contains("void " + test.group(2) + "(");
                } else if (!proof.equals("(no promise)")) {
                    assertThat(Path.of("..", proof)).as(promise).exists();
                }
            }
        });
    }

    /// What the build refuses: versions that change by themselves.
    @Test
    void everyVersionIsPinned() throws IOException {
        assertThat(Files.readString(Path.of("../pom.xml")))
                .contains("<banDynamicVersions/>", "<requireReleaseDeps/>", "cyclonedx-maven-plugin", "muster-sbom");
    }

    private static List<String> statements(String page) {
        List<String> statements = new ArrayList<>();
        for (String part : END.split(page)) {
            boolean words = part.chars().filter(Character::isLetter).count() > 20;
            if (words && !part.startsWith("#")) {
                statements.add(part.strip());
            }
        }
        return statements;
    }

    /// One line, without headings.
    private static String normal(String page) {
        return page.replaceAll("(?m)^#.*$", "").replaceAll("\\s+", " ");
    }

    private static Map<String, List<String>> proofs() throws IOException {
        Map<String, List<String>> proofs = new TreeMap<>();
        List<String> current = new ArrayList<>();
        for (String line : Files.readAllLines(PROOFS)) {
            if (line.startsWith("- ")) {
                current.add(line.substring(2).strip());
            } else if (!line.isBlank()) {
                current = new ArrayList<>();
                proofs.put(line.strip(), current);
            }
        }
        return proofs;
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (String module : List.of("core", "detect", "plan", "mesh", "monitor", "fleet", "server", "cli", "checks")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
                }
            }
        }
        return sources;
    }
}
