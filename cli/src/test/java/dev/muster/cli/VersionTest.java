// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.session.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void theProgramHasTheVersionOfTheBuild() throws IOException {
        Matcher own = Pattern.compile("<artifactId>muster-parent</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(Path.of("../pom.xml")));

        assertThat(own.find()).isTrue();
        assertThat(Version.TEXT).isEqualTo(own.group(1));
    }
}
