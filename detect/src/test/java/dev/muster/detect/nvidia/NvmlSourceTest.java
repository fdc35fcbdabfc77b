// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.Gap;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.core.unit.Celsius;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.probe.ProbeContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The real conversation with a library of eight GPUs that are none.
class NvmlSourceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static Path file;
    private static NativeLibrary library;

    @BeforeAll
    static void compile() throws Exception {
        file = NativeStub.compile("nvml-stub", folder);
        library = NativeLibrary.load(file, IllegalStateException::new);
    }

    private final List<Gap> gaps = new ArrayList<>();

    private List<AcceleratorProfile> ask() {
        Host bare = new HostBuilder().build();
        HostLibraries libraries = (_, _) -> new HostAnswer.Found<>(file);
        Host host = new Host(
                bare.system(),
                bare.architecture(),
                bare.files(),
                bare.commands(),
                libraries,
                bare.variables(),
                bare.clock());
        ProbeContext context = new ProbeContext(host, Deadline.in(PATIENCE), System.getLogger("test"));
        NvidiaAnswer answer = new NvmlSource().ask(context, new NvidiaSmi(context, gaps::add), gaps::add);
        return answer instanceof NvidiaAnswer.Devices told ? told.profiles() : List.of();
    }

    private List<AcceleratorProfile> askOfWhole() {
        return ask().stream().filter(profile -> profile.partition().isEmpty()).toList();
    }

    @Test
    void migDevicesArePartitionsOfTheirGpu() {
        List<AcceleratorProfile> slices = ask().stream()
                .filter(profile -> profile.partition().isPresent())
                .toList();
        assertThat(slices)
                .extracting(
                        profile -> profile.partition().orElseThrow().parent().toString())
                .containsExactly("cuda:7", "cuda:7");
        assertThat(slices)
                .extracting(profile -> profile.partition().orElseThrow().shape())
                .containsExactly("1c.3g.71gb", "1g.18gb");
        assertThat(slices)
                .extracting(profile -> profile.reading(DeviceFact.UUID).find().orElse(""))
                .containsExactly(
                        "MIG-00000100-0000-0000-0000-000000000000", "MIG-00000103-0000-0000-0000-000000000000");
    }

    @Test
    void gpusAreAskedBesideEachOtherAndStandInTheirOrder() {
        List<AcceleratorProfile> profiles = askOfWhole();
        assertThat(profiles)
                .extracting(profile -> profile.id().toString())
                .containsExactly("cuda:0", "cuda:1", "cuda:2", "cuda:4", "cuda:5", "cuda:6", "cuda:7");
        assertThat(profiles).allSatisfy(profile -> {
            int index = (int) profile.accelerator().deviceId();
            assertThat(profile.reading(DeviceFact.DEVICE_NAME).find()).contains("NVIDIA Stub " + index);
            assertThat(profile.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(40 + index));
        });
    }

    @Test
    void aLostGpuIsAGapAndNoTroubleOfTheOthers() {
        assertThat(askOfWhole()).hasSize(7);
        assertThat(gaps)
                .singleElement()
                .satisfies(gap -> assertThat(gap.toString()).contains("GPU 3"));
    }

    @Test
    void whoAsksAgainSoonFindsNvmlBegunAndItIsGivenBackWhenNobodyDoes() throws InterruptedException {
        ask();
        int begun = library.require("stub_begun").call(0);
        ask();
        assertThat(library.require("stub_begun").call(0)).isEqualTo(begun);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (library.require("stub_ended").call(0) < begun && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        assertThat(library.require("stub_ended").call(0)).isEqualTo(begun);
    }

    @Test
    void whatForbidsWorkIsAskedWithoutTelemetry() {
        assertThat(askOfWhole())
                .extracting(gpu -> DeviceUsability.of(gpu)
                        .findObstacle()
                        .map(DeviceUsability.Reason::words)
                        .orElse("usable"))
                .containsExactly(
                        "usable",
                        "has 1 of 18 fabric links down",
                        "is in compute mode prohibited",
                        "could not remap a faulty memory row",
                        "exceeded the threshold of SRAM errors",
                        "usable",
                        "usable");
    }

    /// Each question takes the driver longer than it takes to make something of the answer.
    @Test
    void linksToASwitchAreAskedForStateAndKindAloneAndForTheirRatesAtOnce() {
        int before = library.require("stub_link_questions").call(0);
        ask();
        int asked = library.require("stub_link_questions").call(0) - before;

        int gpus = 7;
        int perGpu = 18 + 18 + 1;
        assertThat(asked).isLessThanOrEqualTo(gpus * perGpu);
    }
}
