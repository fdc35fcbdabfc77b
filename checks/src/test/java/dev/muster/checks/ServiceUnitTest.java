// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The unit of the Debian package is the one that `docs/serve.md` shows.
class ServiceUnitTest {
    @Test
    void theUnitHasEveryLineThatThePageShows() throws IOException {
        String page = Files.readString(Path.of("../docs/serve.md"));
        int start = page.indexOf("```ini\n") + "```ini\n".length();
        List<String> shown =
                page.substring(start, page.indexOf("```", start)).lines().toList();
        List<String> unit = Files.readAllLines(Path.of("../packaging/muster.service"));

        assertThat(shown)
                .hasSizeGreaterThan(5)
                .allSatisfy(line -> assertThat(unit).as(line).anyMatch(own -> own.startsWith(line)));
    }

    @Test
    void itListensWhereTheServerDoesByItself() throws IOException {
        assertThat(Files.readString(Path.of("../packaging/muster.service")))
                .doesNotContainPattern("(?m)^ExecStart.*--listen");
    }
}
