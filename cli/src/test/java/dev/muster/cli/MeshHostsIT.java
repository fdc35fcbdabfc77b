// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `muster mesh run --hosts` by a real ssh to two hosts out of namespaces, one of which vanishes. `scripts/check-hosts`
/// has four, and much more that goes wrong.
@Needs(Need.LINUX)
@Timeout(300)
class MeshHostsIT {
    private static final Path SCRIPT =
            Path.of("../scripts/check-hosts").toAbsolutePath().normalize();
    private static final int NOT_AVAILABLE = 69;

    @Test
    void ranksOnTwoHostsWorkTogetherAndHearThatOneVanished(@TempDir Path folder)
            throws IOException, InterruptedException {
        InstalledMuster muster = InstalledMuster.in(folder);
        Process script = muster.process(List.of(SCRIPT.toString(), "--short", folder.toString()))
                .redirectErrorStream(true)
                .start();
        script.getOutputStream().close();
        String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        int code = InstalledMuster.end(script);
        if (code == NOT_AVAILABLE) {
            throw Need.unmet("hosts out of namespaces: " + said.strip());
        }
        assertThat(code).as(said).isZero();
        assertThat(said)
                .contains("mesh run --hosts: ok", "a host that vanishes: ok, survivors told")
                .doesNotContain("FAILED");
    }
}
