// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The probes that documents speak of are those that there are.
class DocumentedProbesTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ((?:`[a-z_]+`(?:, )?)+) \\|");
    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");
    /// Probes of no vendor, and second ones of AMD and Intel.
    private static final Set<Backend> NO_VENDOR_OF_THEIR_OWN =
            EnumSet.of(Backend.VULKAN, Backend.WINDOWS, Backend.AMD_XDNA, Backend.INTEL_NPU, Backend.GAUDI);

    @Test
    void thePageNamesEveryProbeAndNoOther() throws IOException {
        String page = Files.readString(Path.of("../docs/detection.md"));
        int start = page.indexOf("## Sources, in order");
        Set<String> named = new TreeSet<>();
        ROW.matcher(page.substring(start, page.indexOf("\n## ", start)))
                .results()
                .flatMap(row -> NAME.matcher(row.group(1)).results())
                .forEach(name -> named.add(name.group(1)));

        assertThat(named)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Backend.values()).map(Backend::text).toList());
    }

    @Test
    void theNumberOfVendorsIsThatOfTheTable() throws IOException {
        int vendors =
                EnumSet.complementOf(EnumSet.copyOf(NO_VENDOR_OF_THEIR_OWN)).size();

        assertThat(Files.readString(Path.of("../README.md"))).contains("Devices of " + vendors + " vendors");
    }
}
