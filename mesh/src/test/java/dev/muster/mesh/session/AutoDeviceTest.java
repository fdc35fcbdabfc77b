// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.ChildJvm;
import dev.muster.mesh.cuda.GpuStub;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Groups take the way of their buffers, in processes whose driver and NCCL are those of a stub: found by the system's
/// loader under their usual names.
@Needs(Need.LINUX)
class AutoDeviceTest {
    @TempDir
    private static Path folder;

    private static Path both;
    private static Path driverAlone;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path stub = GpuStub.compile(folder).file();
        both = linked(stub, "both", "libcuda.so.1", "libnccl.so.2");
        driverAlone = linked(stub, "driver", "libcuda.so.1");
    }

    private static Path linked(Path stub, String name, String... libraries) throws IOException {
        Path place = Files.createDirectory(folder.resolve(name));
        for (String library : libraries) {
            Files.createSymbolicLink(place.resolve(library), stub);
        }
        return place;
    }

    private static List<String> said(Path libraries, String scene, String engine, int ranks) {
        Map<String, String> variables = Map.of("LD_LIBRARY_PATH", libraries.toString());
        String count = Integer.toString(ranks);
        try (ChildJvm ended = ChildJvm.start(variables, DeviceRanksMain.class, scene, engine, count)) {
            return IntStream.range(0, ranks).mapToObj(rank -> ended.line()).toList();
        }
    }

    @Test
    void groupsTakeTheWayOfTheirBuffers() {
        assertThat(said(both, "both-places", "auto", 3))
                .containsExactly(
                        "local 6 [6, 30] [2, 2] [2, 2] local",
                        "local 6 [6, 30] [0, 0] [1, 1] local",
                        "local 6 [6, 30] [1, 1] [2, 2] local");
    }

    @Test
    void theEngineThatWasAskedForHasItsName() {
        assertThat(said(both, "both-places", "nccl", 2))
                .containsExactly("nccl 3 [3, 20] [1, 1] [0, 0] nccl", "nccl 3 [3, 20] [0, 0] [1, 1] nccl");
    }

    @Test
    void aMessageBetweenSomeOpensNothing() {
        String sentence = "group world has had no call of all its members with memory of devices yet, and a message"
                + " between some cannot open their way; call a collective first, or choose the backend nccl; [2]";
        assertThat(said(both, "message-first", "auto", 3)).containsExactly(sentence, sentence, sentence);
        assertThat(said(both, "message-first", "auto", 2))
                .as("two members are all")
                .containsExactly("[1]; [1]", "[0]; [1]");
        assertThat(said(both, "message-first", "nccl", 3)).containsExactly("[2]; [2]", "[0]; [2]", "[1]; [2]");
    }

    @Test
    void whatIsRefusedLeavesTheGroupAsItIs() {
        assertThat(said(both, "refused", "auto", 2))
                .allSatisfy(rank -> assertThat(rank)
                        .startsWith("memory on a device cannot be reduced as int16")
                        .endsWith("; 4"));
        assertThat(said(both, "refused", "local", 2))
                .allSatisfy(rank -> assertThat(rank)
                        .isEqualTo("group world goes by local, which was requested and supports host memory only;"
                                + " choose the backend auto or nccl for memory of devices; 4"));
    }

    @Test
    void whoWaitsForOthersToOpenHearsThatTheyGaveUp() {
        assertThat(said(both, "given-up", "auto", 2))
                .first()
                .asString()
                .contains("rank 1 has had enough")
                .doesNotContain("at the limit");
    }

    @Test
    void aLibraryThatIsMissingIsNamedToAll() {
        assertThat(said(driverAlone, "both-places", "auto", 2))
                .allSatisfy(rank -> assertThat(rank)
                        .startsWith("unavailable: ")
                        .contains(" cannot use nccl: libnccl.so.2 is not available, because "));
    }
}
