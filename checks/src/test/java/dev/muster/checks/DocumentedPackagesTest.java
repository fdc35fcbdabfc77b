// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The packages that `docs/architecture.md` lists are those that there are.
class DocumentedPackagesTest {
    private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");
    private static final Pattern EXPORTED = Pattern.compile("Exported are ([^A-Z]*)\\. ?");
    private static final Pattern KEPT = Pattern.compile("Not exported (?:are|is) ([^A-Z]*)\\. ?");

    @ParameterizedTest
    @ValueSource(strings = {"core", "detect", "model", "plan", "evidence", "report", "mesh", "fleet", "cli"})
    void thePageNamesEveryPackageAndNoOther(String module) throws IOException {
        assertThat(listed(module)).isEqualTo(packages(module));
    }

    @ParameterizedTest
    @ValueSource(strings = {"detect", "model", "plan", "evidence", "mesh", "fleet"})
    void whatIsSaidToBeExportedIs(String module) throws IOException {
        Set<String> exported = new TreeSet<>();
        ExportedApi.packages(List.of(module)).forEach(name -> exported.add(name.substring("dev.muster.".length())));

        Set<String> said = names(module, EXPORTED);
        if (said.isEmpty()) {
            said.addAll(listed(module));
            said.removeAll(names(module, KEPT));
        }
        assertThat(said).isEqualTo(exported);
    }

    /// Names of the first column of the module's table; `.amd` behind `detect.nvidia` is `detect.amd`.
    private static Set<String> listed(String module) throws IOException {
        Set<String> listed = new TreeSet<>();
        Pattern row = Pattern.compile("\\| ((?:`[a-z.]+`(?:, )?)+) \\|");
        for (MatchResult cell : row.matcher(section(module)).results().toList()) {
            add(listed, module, cell.group(1));
        }
        return listed;
    }

    private static Set<String> names(String module, Pattern sentence) throws IOException {
        Set<String> names = new TreeSet<>();
        for (MatchResult found : sentence.matcher(section(module)).results().toList()) {
            add(names, module, found.group(1));
        }
        return names;
    }

    private static void add(Set<String> names, String module, String text) {
        NAME.matcher(text)
                .results()
                .map(found -> found.group(1))
                .forEach(name -> names.add(name.startsWith(".") ? module + name : name));
    }

    private static String section(String module) throws IOException {
        return Claims.sections("docs/architecture.md").stream()
                .filter(section -> section.heading().equals("## Packages of `" + module + "`"))
                .findFirst()
                .orElseThrow()
                .text();
    }

    private static Set<String> packages(String module) throws IOException {
        Path root = Path.of("..", module, "src/main/java/dev/muster");
        Set<String> packages = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                    .forEach(packages::add);
        }
        return packages;
    }
}
