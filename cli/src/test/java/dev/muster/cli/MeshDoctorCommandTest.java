// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.mesh.collective.CallState;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.FlightDump.FlightRecord;
import dev.muster.mesh.doctor.MeshDoctor;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `muster mesh doctor` on this machine, and what its checks say when something is wrong.
class MeshDoctorCommandTest {
    private static final int MANY = 1_000;

    @TempDir
    private Path folder;

    private final MusterRun pipe = MusterRun.inPipe();

    private Finding finding(String id, Map<String, String> variables, Path directory, int processors, int devices) {
        return new MeshDoctor(variables, directory, processors, devices, "", Instant.now())
                .examine().stream()
                        .filter(finding -> finding.id().equals(id))
                        .findFirst()
                        .orElseThrow();
    }

    private Finding finding(String id, Map<String, String> variables) {
        return finding(id, variables, folder, 2, 2);
    }

    @Test
    void tellsEveryCheckAndLeavesNothing() throws IOException {
        Outcome outcome = pipe.run("mesh", "doctor");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains("PASS  mesh.launch.variables: this process is rank 0 of 1")
                .contains("mesh.store.reachable")
                .contains("mesh.processors.enough")
                .contains("mesh.devices.enough")
                .contains("mesh.memory.shared")
                .contains("mesh.memory.clean")
                .contains("PASS  mesh.sockets.work: two ranks have summed")
                .contains("mesh.files.enough");
        assertThat(finding("mesh.memory.shared", Map.of()).status()).isEqualTo(Status.PASS);
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void examinesThisMachineAndNoOther() {
        Outcome outcome = pipe.run("mesh", "doctor", "--host", folder.toString());

        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err())
                .startsWith("muster: --host does not apply: mesh doctor examines this machine as it is");
    }

    @Test
    void contradictionsOfALauncherAreFailures() {
        Outcome outcome = pipe.withEnvironment("RANK", "3")
                .withEnvironment("WORLD_SIZE", "2")
                .run("mesh", "doctor");

        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.out()).contains("FAIL  mesh.launch.variables: ").contains("RANK");
    }

    @Test
    void ranksWithoutAStoreAreWarned() {
        Finding finding = finding("mesh.store.reachable", Map.of("RANK", "0", "WORLD_SIZE", "2"));

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.message()).contains("MUSTER_STORE is not set");
    }

    @Test
    void aStoreThatAnswersPassesAndOneThatIsGoneFails() {
        String secret = Secret.randomText();
        Map<String, String> variables;
        try (TcpStoreServer server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)))) {
            variables = Map.of(
                    "RANK",
                    "0",
                    "WORLD_SIZE",
                    "2",
                    "MUSTER_STORE",
                    "127.0.0.1:" + server.address().getPort(),
                    "MUSTER_SECRET",
                    secret);
            assertThat(finding("mesh.store.reachable", variables).status()).isEqualTo(Status.PASS);
        }
        assertThat(finding("mesh.store.reachable", variables).status()).isEqualTo(Status.FAIL);
    }

    @Test
    void moreRanksThanProcessorsOrDevicesAreWarned() {
        Map<String, String> four = Map.of("RANK", "0", "WORLD_SIZE", "4", "LOCAL_RANK", "0", "LOCAL_WORLD_SIZE", "4");

        assertThat(finding("mesh.processors.enough", four).status()).isEqualTo(Status.WARN);
        assertThat(finding("mesh.devices.enough", four).message()).contains("4 ranks of this host on 2 accelerators");
        assertThat(finding("mesh.processors.enough", four, folder, 4, 4).status())
                .isEqualTo(Status.PASS);
        assertThat(finding("mesh.devices.enough", four, folder, 4, 4).status()).isEqualTo(Status.PASS);
    }

    @Test
    void memoryThatCannotBeSharedIsWarned() {
        Finding finding = finding("mesh.memory.shared", Map.of(), folder.resolve("gone"), 2, MANY);

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.message()).contains("does not provide shared memory").contains("will use sockets");
        assertThat(finding.next()).contains("mount a tmpfs");
    }

    @Test
    void whatOthersLeftBehindIsNamed() throws IOException {
        Path left = Files.createFile(folder.resolve("muster-1.mesh"));
        assertThat(finding("mesh.memory.clean", Map.of()).status()).isEqualTo(Status.PASS);

        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
        Finding finding = finding("mesh.memory.clean", Map.of());

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.message()).contains(left.toString());
    }

    private String recording(int rank, String... calls) throws IOException {
        List<FlightRecord> records = new ArrayList<>();
        for (String call : calls) {
            records.add(new FlightRecord(records.size() + 1, call, 5, 7, CallState.DONE));
        }
        Path file = folder.resolve("world-" + rank + ".json");
        Files.writeString(file, new FlightDump("world", rank, records).toJson().toIndentedText());
        return file.toString();
    }

    @Test
    void recordingsAreLaidSideBySide() throws IOException {
        String one = recording(0, "barrier", "all-gather of 10 float32");
        String same = recording(1, "barrier", "all-gather of 10 float32");
        String other = recording(2, "barrier", "barrier");

        assertThat(pipe.run("mesh", "doctor", one, same).quietOutput())
                .startsWith("PASS  mesh.calls.agree: group world: 2 ranks made the same calls without failures\n");
        Outcome apart = pipe.run("mesh", "doctor", one, other);
        assertThat(apart.code()).isEqualTo(ExitCode.USAGE);
        assertThat(apart.out()).contains("call #2: ").contains("rank 2 ended barrier");
    }

    private String recordingOf(String rank, String calls) throws IOException {
        String text = "{\"kind\":\"mesh-recording\",\"group\":\"world\",\"rank\":" + rank + ",\"calls\":" + calls + "}";
        Path file = Files.writeString(folder.resolve("made-up.json"), text);
        return pipe.run("mesh", "doctor", file.toString()).err();
    }

    @Test
    void whatIsNoRecordingIsSaidInOneSentence() throws IOException {
        Path file = Files.writeString(folder.resolve("x.json"), "{\"kind\":\"doctor\"}");

        assertThat(pipe.run("mesh", "doctor", file.toString()).err())
                .startsWith("muster: '" + file
                        + "': it is neither a recording of a mesh, nor of PyTorch's flight recorder");
        String call = "{\"sequence\":1,\"call\":\"barrier\",\"state\":\"done\",\"startNanos\":1,\"tookNanos\":1}";
        assertThat(recordingOf("1.5", "[]")).contains("'rank' is missing, or is not what");
        assertThat(recordingOf("99999999999", "[]")).contains("rank 99999999999 does not exist");
        assertThat(recordingOf("1", "7")).contains("'calls' is missing, or is not what");
        assertThat(recordingOf("1", "[{}]")).contains("'sequence' is missing, or is not what");
        assertThat(recordingOf("1", "[" + call + "," + call + "]")).isEmpty();
        assertThat(pipe.run("mesh", "doctor", folder.resolve("none").toString()).err())
                .startsWith("muster: file ");
    }

    /// The service itself is played in `NcclJobTest`.
    @Test
    void jobsOfNcclAreAskedAtAnAddress() throws IOException {
        for (String wrong : List.of("a:0", "a:70000", "a:b", "::1")) {
            assertThat(pipe.run("mesh", "doctor", "--nccl", wrong).err())
                    .startsWith("muster: --nccl is a host with an optional port, such as node1:28028, not '" + wrong);
        }
        assertThat(pipe.run("mesh", "doctor", "--nccl", "a", "b").err())
                .startsWith("muster: --nccl queries a running job; recordings are examined without it");
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        Outcome refused = pipe.run("mesh", "doctor", "--nccl", "127.0.0.1:" + unused);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.out())
                .startsWith("FAIL  nccl.ras.answers: the RAS service of NCCL at 127.0.0.1:" + unused
                        + " cannot be asked: ");
    }
}
