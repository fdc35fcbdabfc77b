// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.SystemIo;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FamilyProbesTest {
    private final AtomicInteger graphcoreRuns = new AtomicInteger();
    private final Detector detector = DetectBuilder.all()
            .build(
                    counting(new HostSketch()
                            .pci("0000:c5:00.1", "1022:17F0", "118000", "amdxdna")
                            .file("/sys/block/sda/queue/rotational", "1\n")
                            .tool("gc-info -l", "-+- Id:  [0], type:      [PCIe], PCI Domain: [0000:1a:00.0]\n")
                            .tool("gc-info *", 3, "", "no such option")
                            .host()),
                    System.getLogger("test"));
    private final RegistryHolder lazy = RegistryHolder.of(detector);

    @Test
    void startsWithTheCpu() {
        assertThat(kinds(lazy.probedProfiles())).containsExactly(AcceleratorKind.CPU);
        assertThat(kinds(lazy.byFamily(AcceleratorFamily.CPU))).containsExactly(AcceleratorKind.CPU);
        assertThat(graphcoreRuns).hasValue(0);
    }

    @Test
    void asksOnlyForTheFamilyThatIsWanted() {
        assertThat(kinds(lazy.byFamily(AcceleratorFamily.NPU))).containsExactly(AcceleratorKind.AMD_XDNA_NPU);

        assertThat(graphcoreRuns).hasValue(0);
        assertThat(kinds(lazy.probedProfiles())).containsExactly(AcceleratorKind.CPU, AcceleratorKind.AMD_XDNA_NPU);
    }

    @Test
    void sixteenThreadsAskForAFamilyOnce() throws InterruptedException {
        lazy.byFamily(AcceleratorFamily.NPU);
        Crowd.of(16, () -> lazy.byFamily(AcceleratorFamily.AI_ASIC));
        int runs = graphcoreRuns.get();
        lazy.byFamily(AcceleratorFamily.AI_ASIC);
        lazy.get();

        RegistryHolder again = RegistryHolder.of(detector);
        again.byFamily(AcceleratorFamily.AI_ASIC);

        assertThat(runs).isPositive();
        assertThat(graphcoreRuns).hasValue(2 * runs);
    }

    @Test
    void theWholeIsWhatADetectionFinds() {
        lazy.byFamily(AcceleratorFamily.NPU);

        AcceleratorRegistry whole = lazy.get();

        AcceleratorRegistry detected = detector.detect();
        assertThat(whole).isEqualTo(detected);
        assertThat(whole.systemIo().storage()).hasSize(1);
        assertThat(whole.topology().nodes()).isNotEmpty();
        assertThat(lazy.get()).isSameAs(whole);
        assertThat(lazy.probedProfiles()).isEqualTo(whole.profiles());
    }

    @Test
    void gapsAreKept() {
        Host host = new HostSketch().tool("gc-info *", 3, "", "broken").host();
        Detector broken = DetectBuilder.all().withoutSystemIo().build(host, System.getLogger("test"));

        RegistryHolder holder = RegistryHolder.of(broken);
        holder.byFamily(AcceleratorFamily.NPU);
        AcceleratorRegistry whole = holder.get();

        assertThat(whole.gaps()).isEqualTo(broken.detect().gaps()).hasAtLeastOneElementOfType(Gap.ToolFailed.class);
        assertThat(whole.systemIo()).isEqualTo(SystemIo.EMPTY);
    }

    @Test
    void backendsThatAreSwitchedOffAreNotAsked() {
        Detector narrow = DetectBuilder.none().with(Backend.TPU).build(detector.host(), System.getLogger("test"));

        RegistryHolder few = RegistryHolder.of(narrow);

        assertThat(few.byFamily(AcceleratorFamily.NPU)).isEmpty();
        assertThat(few.get().hasAccelerator()).isFalse();
        assertThat(graphcoreRuns).hasValue(0);
    }

    @Test
    void asksAFamilyAgainWhenItsTimeIsOver() {
        AtomicLong now = new AtomicLong();
        Duration ttl = Duration.ofSeconds(60);
        RegistryHolder holder = new RegistryHolder(detector, detector::detect, ttl, null, detector.maxWait(), now::get);
        holder.byFamily(AcceleratorFamily.AI_ASIC);
        int runs = graphcoreRuns.get();

        now.addAndGet(ttl.toNanos() - 1);
        holder.byFamily(AcceleratorFamily.AI_ASIC);
        assertThat(graphcoreRuns).hasValue(runs);

        now.incrementAndGet();
        holder.byFamily(AcceleratorFamily.AI_ASIC);
        assertThat(graphcoreRuns).hasValue(2 * runs);
    }

    private static List<AcceleratorKind> kinds(List<AcceleratorProfile> profiles) {
        return profiles.stream().map(profile -> profile.accelerator().kind()).toList();
    }

    private Host counting(Host host) {
        HostCommands commands = new HostCommands() {
            @Override
            public Optional<String> findPath(Tool tool) {
                return host.commands().findPath(tool);
            }

            @Override
            public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
                if (tool.name().equals("gc-info")) {
                    graphcoreRuns.incrementAndGet();
                }
                return host.commands().run(tool, arguments, limits);
            }
        };
        return new Host(
                host.system(),
                host.architecture(),
                host.files(),
                commands,
                host.libraries(),
                host.variables(),
                host.clock());
    }
}
