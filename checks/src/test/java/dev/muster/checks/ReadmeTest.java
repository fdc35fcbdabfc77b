package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Detector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The examples of the documentation are compiled, run, and the very ones that people read.
class ReadmeTest {
    private static final Path README = Path.of("../README.md");
    private static final Path SOURCE = Path.of("src/test/java/dev/muster/checks/ReadmeTest.java");

    @Test
    void theLibraryExampleWorks() {
        // begin example
        AcceleratorRegistry registry = Detector.ofThisHost().detect();
        AcceleratorProfile best = registry.findBest().orElseThrow();
        String memory = switch (best.memory()) {
            case Reading.Known<Bytes>(Bytes bytes, Provenance from) -> bytes.toGib() + " GiB, says " + from.source();
            case Reading.Unknown<Bytes>(UnknownReason reason, var _) -> "unknown: " + reason.text();
        };
        // end example

        assertThat(memory).containsAnyOf("GiB, says", "unknown: ");
    }

    @Test
    void theLibraryExampleIsTheOneOfTheReadme() throws IOException {
        Matcher example = Pattern.compile("// begin example\n(.*?)// end example", Pattern.DOTALL)
                .matcher(Files.readString(SOURCE));
        Matcher shown = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(README));

        assertThat(example.find()).isTrue();
        assertThat(shown.find()).isTrue();
        assertThat(words(shown.group(1))).isEqualTo(words(example.group(1)));
    }

    @Test
    void everyFileThatTheDocumentationLinksToIsThere() throws IOException {
        Pattern link = Pattern.compile("\\]\\(([^)#:]+)\\)");
        for (Path page : List.of(
                README,
                Path.of("../CONTRIBUTING.md"),
                Path.of("../docs/command-line.md"),
                Path.of("../docs/library.md"),
                Path.of("../docs/architecture.md"),
                Path.of("../docs/decisions/0003-json.md"))) {
            Matcher links = link.matcher(Files.readString(page));
            while (links.find()) {
                assertThat(page.resolveSibling(links.group(1)))
                        .as(page.toString())
                        .exists();
            }
        }
    }

    private static List<String> words(String code) {
        return List.of(code.strip().split("\\s+"));
    }
}
