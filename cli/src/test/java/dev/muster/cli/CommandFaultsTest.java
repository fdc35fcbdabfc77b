// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.FaultyFiles.Fault;
import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.RecordedHost;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Replayed hosts with one file that is a pipe, endless, garbage, empty, missing, or never answers: the command
/// ends in time with a documented code, names the file if its content could not be read, and never makes a fact up.
@Needs(Need.LINUX)
class CommandFaultsTest {
    private static final int CASES = 1000;
    private static final long SEED = Long.getLong("fault.seed", 20_261_117L);
    /// Long enough that a busy machine reaches every file, and gives up one that hangs after a fifth of it.
    private static final String SHORT = "500ms";

    private static final String PATIENT = "8s";
    /// No measurement: machines that build are busy.
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    private static final Path RECORDING = Path.of("../detect/src/test/resources/fixtures/nvidia/h200-microvm");
    private static final List<Fault> FAULTS =
            List.of(Fault.PIPE, Fault.ENDLESS, Fault.HANGS, Fault.GARBAGE, Fault.EMPTY, Fault.GONE);
    private static final int FOLDER_CASES = 50;
    private static final List<String> PARTS = List.of("devices", "interconnects", "storage", "memoryDevices");
    /// Keys that are not facts: provenance, and reasons of missing values.
    private static final Set<String> NO_FACTS = Set.of("provenance", "unknown");

    private final CountDownLatch testEnds = new CountDownLatch(1);

    @TempDir
    private Path folder;

    /// A way to call the program.
    ///
    /// @param codes those that it may end with
    private record Call(List<String> words, List<Integer> codes) {
        static Call of(String words, Integer... codes) {
            return new Call(List.of(words.split(" ")), List.of(codes));
        }

        boolean isRegistry() {
            return words.contains("detect") && words.contains("--json");
        }
    }

    private static final List<Call> CALLS = List.of(
            Call.of("detect --json", ExitCode.OK),
            Call.of("detect --json --strict", ExitCode.OK, ExitCode.PARTIAL),
            Call.of("detect --json --require-accelerator", ExitCode.OK, ExitCode.NO_ACCELERATOR),
            Call.of("detect", ExitCode.OK),
            Call.of("doctor --json", ExitCode.OK, ExitCode.NO, ExitCode.USAGE));

    /// A host with what is known of it while all is well.
    private record Whole(Host host, List<String> read, List<String> listed, Set<String> facts) {}

    @AfterEach
    void releaseThreads() {
        testEnds.countDown();
    }

    @Test
    void whateverBecomesOfOneFileTheCommandEndsInTimeAndNamesIt() throws IOException, InterruptedException {
        System.out.println(CASES + " faults of files, -Dfault.seed=" + SEED);
        Random random = new Random(SEED);
        FaultyFiles.make(folder, random);
        List<Whole> hosts = List.of(whole(box()), whole(recorded()));
        for (int i = 0; i < CASES; i++) {
            Whole whole = hosts.get(random.nextInt(hosts.size()));
            String path = whole.read.get(random.nextInt(whole.read.size()));
            Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
            Call call = CALLS.get(random.nextInt(CALLS.size()));
            String name = "case " + i + " of seed " + SEED + ": " + path + " " + fault + ", muster " + call.words;

            long began = System.nanoTime();
            Outcome outcome = run(whole.host, faulty(whole.host, path, fault), call, limit(fault));

            assertThat(Duration.ofNanos(System.nanoTime() - began)).as(name).isLessThan(GENEROUS);
            assertThat(outcome.code()).as(name).isIn(call.codes);
            assertThat(outcome.err()).as(name).doesNotContain("Exception");
            if (fault.isLoss()) {
                assertNamed(path, fault, call, outcome, name);
            }
            if (call.isRegistry()) {
                assertNothingMadeUp(path, fault, whole, outcome, name);
            }
        }
    }

    @Test
    void whateverBecomesOfOneFolderTheCommandEndsInTimeAndMakesNothingUp() throws IOException, InterruptedException {
        System.out.println(FOLDER_CASES + " faults of folders, -Dfault.seed=" + SEED);
        Random random = new Random(SEED);
        List<Whole> hosts = List.of(whole(box()), whole(recorded()));
        for (int i = 0; i < FOLDER_CASES; i++) {
            Whole whole = hosts.get(random.nextInt(hosts.size()));
            String path = whole.listed.get(random.nextInt(whole.listed.size()));
            Fault fault = Fault.CLOSED;
            Call call = CALLS.get(random.nextInt(CALLS.size()));
            String name = "case " + i + " of seed " + SEED + ": " + path + " " + fault + ", muster " + call.words;

            long began = System.nanoTime();
            Outcome outcome = run(whole.host, faulty(whole.host, path, fault), call, PATIENT);

            assertThat(Duration.ofNanos(System.nanoTime() - began)).as(name).isLessThan(GENEROUS);
            assertThat(outcome.code()).as(name).isIn(call.codes);
            assertThat(outcome.err()).as(name).doesNotContain("Exception");
            if (call.isRegistry()) {
                Set<String> madeUp = new TreeSet<>(devices(facts(outcome)));
                madeUp.removeAll(whole.facts);
                assertThat(madeUp).as(name).isEmpty();
            }
        }
    }

    private static String limit(Fault fault) {
        return fault == Fault.HANGS ? SHORT : PATIENT;
    }

    private static void assertNamed(String path, Fault fault, Call call, Outcome outcome, String name) {
        String said = call.isRegistry() ? gaps(outcome) : outcome.out();
        assertThat(said.contains(path) || (fault == Fault.HANGS && isOtherLate(said)))
                .as(name + ": " + said)
                .isTrue();
        if (call.words.contains("--strict")) {
            assertThat(outcome.code()).as(name).isEqualTo(ExitCode.PARTIAL);
        }
    }

    /// A busy machine may stand still for so long that another file or part seems late, and the one that hangs is never
    /// reached. `FileFaultsTest` holds on to the name itself, with more patience.
    private static boolean isOtherLate(String said) {
        return said.contains("timed-out") || said.contains("timed out") || said.contains("did not answer");
    }

    /// Known facts equal those of the intact host; and no device is lost silently.
    private static void assertNothingMadeUp(String path, Fault fault, Whole whole, Outcome outcome, String name) {
        Set<String> facts = facts(outcome);
        Set<String> madeUp = new TreeSet<>(facts);
        madeUp.removeAll(whole.facts);
        assertThat(madeUp).as(name + "; gaps " + gaps(outcome)).isEmpty();
        boolean deviceLost = devices(facts).size() < devices(whole.facts).size();
        String gaps = gaps(outcome);
        boolean named = gaps.contains(path) || (fault == Fault.HANGS && isOtherLate(gaps));
        assertThat(!deviceLost || fault == Fault.GONE || named)
                .as(name + ": a device was lost and no gap names the file")
                .isTrue();
    }

    private Whole whole(Host host) {
        FaultyFiles noting = faulty(host, "", Fault.NONE);
        Outcome outcome = run(host, noting, Call.of("detect --json"), PATIENT);
        assertThat(outcome.code()).isZero();
        assertThat(gaps(outcome)).isEqualTo("[]");
        return new Whole(host, List.copyOf(noting.read()), List.copyOf(noting.listed()), facts(outcome));
    }

    private FaultyFiles faulty(Host host, String path, Fault fault) {
        return new FaultyFiles(host.files(), path, fault, folder, testEnds);
    }

    private static String gaps(Outcome outcome) {
        return member(outcome, "gaps").toText();
    }

    private static JsonValue member(Outcome outcome, String key) {
        return Objects.requireNonNull(
                ((JsonObject) JsonValue.parse(outcome.out())).members().get(key));
    }

    private static List<String> devices(Set<String> facts) {
        return facts.stream().filter(fact -> fact.contains("/accelerator=")).toList();
    }

    /// Each fact of a device, drive or network card, such as `devices/cuda:0/pcieWidth=16`.
    private static Set<String> facts(Outcome outcome) {
        Set<String> facts = new TreeSet<>();
        for (String part : PARTS) {
            for (JsonValue item : ((JsonArray) member(outcome, part)).items()) {
                Map<String, JsonValue> members = ((JsonObject) item).members();
                String id = Stream.of("id", "name")
                        .filter(members::containsKey)
                        .map(key -> Objects.requireNonNull(members.get(key)).toText())
                        .findFirst()
                        .orElseThrow();
                members.forEach((key, value) -> {
                    // A drive whose kind is unknown says so in the place of its kind.
                    if (!NO_FACTS.contains(key) && !value.toText().equals("\"unknown\"")) {
                        facts.add(part + "/" + id + "/" + key + "=" + value.toText());
                    }
                });
            }
        }
        return facts;
    }

    private static Outcome run(Host host, HostFiles files, Call call, String limit) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Muster muster = new Muster(
                new Host(
                        host.system(),
                        host.architecture(),
                        files,
                        host.commands(),
                        host.libraries(),
                        host.variables(),
                        host.clock()),
                false,
                false,
                "25.0.1+8",
                InputStream.nullInputStream(),
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                _ -> false);
        List<String> words = new ArrayList<>(call.words);
        words.addAll(List.of("--timeout", limit));
        int code = muster.run(words);
        return new Outcome(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// A machine with an NVIDIA GPU, an AMD one, a network card and a drive.
    private static Host box() {
        String gpu = "/sys/devices/pci0000:00/0000:02:00.0";
        String nic = "/sys/class/infiniband/mlx5_0/ports/1";
        String node = "/sys/devices/system/node";
        return new HostBuilder()
                .variable("NCCL_TOPO_FILE", "/etc/topology.xml")
                .file("/etc/topology.xml", "<system version=\"1\"><cpu numaid=\"0\"></cpu></system>")
                .file("/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n")
                .file("/proc/cpuinfo", "processor : 0\nmodel name : Some CPU\n")
                .file(node + "/online", "0\n")
                .file(node + "/node0/meminfo", "Node 0 MemTotal: 1048576 kB\n")
                .file(node + "/node0/cpulist", "0\n")
                .file("/sys/bus/pci/devices/0000:01:00.0/uevent", "DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2330\n")
                .file("/sys/bus/pci/devices/0000:02:00.0/uevent", "DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_ID=1002:740F\n")
                .file(gpu + "/mem_info_vram_total", "68719476736\n")
                .file(gpu + "/gpu_busy_percent", "33\n")
                .file(gpu + "/vendor", "0x1002\n")
                .file(gpu + "/device", "0x740f\n")
                .link(gpu + "/driver", "../../../bus/pci/drivers/amdgpu")
                .folder("/sys/bus/pci/drivers/amdgpu")
                .link("/sys/class/drm/card0/device", "../../../devices/pci0000:00/0000:02:00.0")
                .file(nic + "/rate", "400 Gb/sec (4X NDR)\n")
                .file(nic + "/state", "4: ACTIVE\n")
                .file(nic + "/link_layer", "InfiniBand\n")
                .file("/sys/block/sda/size", "2097152\n")
                .file("/sys/block/sda/queue/rotational", "1\n")
                .build();
    }

    /// A real machine with one GPU.
    private Host recorded() throws IOException, InterruptedException {
        Path root = Files.createDirectories(folder.resolve("bundle/root"));
        String archive = RECORDING.resolve("sysroot.tar.gz").toAbsolutePath().toString();
        assertThat(new ProcessBuilder("tar", "-xzf", archive, "-C", root.toString())
                        .start()
                        .waitFor())
                .isZero();
        Files.createDirectories(root.resolve("proc"));
        Files.copy(RECORDING.resolve("meminfo.txt"), root.resolve("proc/meminfo"));
        Files.copy(RECORDING.resolve("cpuinfo.txt"), root.resolve("proc/cpuinfo"));
        Files.writeString(
                folder.resolve("bundle/bundle.json"),
                "{\"schema\":1,\"os\":\"linux\",\"arch\":\"amd64\",\"created\":\"2026-01-31T12:00:00Z\"}");
        return RecordedHost.open(folder.resolve("bundle"));
    }
}
