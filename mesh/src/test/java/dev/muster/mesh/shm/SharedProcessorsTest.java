// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Needs(Need.LINUX)
class SharedProcessorsTest {
    private static final int OWN = 0;
    private static final int PEER = 1;

    private final RegionLayout layout = RegionLayout.of(2, 4096);
    private final SharedRegion region = new SharedRegion(layout, Arena.ofAuto().allocate(layout.bytes(), 4096));
    private final SharedProcessors processors = new SharedProcessors(region, OWN);

    @BeforeEach
    void formatRegion() {
        SharedRegion.format(region.memory(), layout, 1);
    }

    @Test
    void nothingIsSharedWithAMemberThatHasNotTold() {
        assertThat(processors.isSharedWith(PEER, System.nanoTime())).isFalse();
        assertThat(region.processor(OWN)).isNotNegative();
    }

    @Test
    void aThreadThatMovesMayRunWhereItMightBefore() throws IOException {
        String allowed = allowedProcessors();
        for (int processor = 0; processor < Runtime.getRuntime().availableProcessors(); processor++) {
            region.showProcessor(PEER, processor);
            processors.isSharedWith(PEER, System.nanoTime());
        }

        assertThat(allowedProcessors()).isEqualTo(allowed);
    }

    @Test
    void aSecondMoveHasToWait() {
        processors.isSharedWith(PEER, 0);
        long now = System.nanoTime();
        boolean shared = false;
        // The system may move this thread at any time: then nothing is shared, and it is tried again.
        for (int attempt = 0; attempt < 10_000 && !shared; attempt++) {
            region.showProcessor(PEER, region.processor(OWN));
            shared = processors.isSharedWith(PEER, now);
        }

        assertThat(shared).isTrue();
    }

    private static String allowedProcessors() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/thread-self/status"));
        return status.stream()
                .filter(line -> line.startsWith("Cpus_allowed:"))
                .findFirst()
                .orElseThrow();
    }
}
