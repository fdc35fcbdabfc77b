// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// API types, and no others, have `@since`, on which `docs/versioning.md` relies.
class SinceTest {
    private static final List<String> LIBRARIES = List.of(
            "core",
            "detect",
            "model",
            "plan",
            "evidence",
            "mesh",
            "monitor",
            "fleet",
            "server",
            "micrometer",
            "opentelemetry",
            "spring");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "(?m)^public (?:(?:final|sealed|non-sealed|abstract) )*(?:class|record|interface|enum|@interface) ");
    private static final String SINCE = "/// @since ";

    @Test
    void onlyWhatIsExportedSaysSinceWhen() throws IOException {
        Set<String> exported = ExportedApi.packages(LIBRARIES);
        List<Path> without = new ArrayList<>();
        List<Path> needless = new ArrayList<>();
        int types = 0;
        for (Path source : sources()) {
            String text = Files.readString(source);
            Matcher name = PACKAGE.matcher(text);
            boolean isApi = name.find()
                    && exported.contains(name.group(1))
                    && PUBLIC_TYPE.matcher(text).find();
            if (isApi) {
                types++;
            }
            if (isApi && !text.contains(SINCE)) {
                without.add(source);
            } else if (!isApi && text.contains(SINCE)) {
                needless.add(source);
            }
        }
        assertThat(types).isGreaterThan(200);
        assertThat(without)
                .as("public types of exported packages without @since")
                .isEmpty();
        assertThat(needless).as("@since on types that cannot be named outside").isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : LIBRARIES) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
            }
        }
        return all;
    }
}
