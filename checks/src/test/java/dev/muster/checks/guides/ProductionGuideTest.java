// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.Finding;
import dev.muster.core.Gap;
import dev.muster.core.Preflight;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Backend;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.Detector;
import dev.muster.detect.RegistryHolder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The examples of `docs/guides/production.md`.
class ProductionGuideTest {
    private static final System.Logger LOG = System.getLogger(ProductionGuideTest.class.getName());

    @Test
    void aServiceSaysWhoIsAskedAndHowLongItMayTake() {
        // begin production-detector
        Detector detector = DetectBuilder.none()
                .with(Backend.CUDA)
                .with(Backend.ROCM)
                .withoutCommands() // no process is started
                .within(Duration.ofSeconds(2))
                .build();
        RegistryHolder holder = RegistryHolder.of(detector, Duration.ofSeconds(30));
        // end production-detector

        assertThat(holder.get().profiles()).isNotEmpty();
        assertThat(holder.isFresh()).isTrue();
    }

    @Test
    void aTimerRefreshesAHolder() {
        Detector detector = DetectBuilder.none().withoutCommands().build();
        // begin production-monitor
        RegistryHolder holder = RegistryHolder.of(detector);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("accelerators").factory());
        ScheduledFuture<?> refreshing = timer.scheduleWithFixedDelay(holder::refresh, 30, 30, TimeUnit.SECONDS);
        // end production-monitor

        assertThat(holder.get().profiles()).isNotEmpty();
        assertThat(refreshing.cancel(true)).isTrue();
        timer.close();
    }

    @Test
    void aServiceThatNeedsAGpuSaysSoWhenItStarts() {
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(AcceleratorProfile.cpu(Bytes.ofGib(16))));
        // begin production-preflight
        Preflight needs =
                new Preflight(AcceleratorRequirement.GPU, 1, Bytes.ofGib(24), Bytes.ZERO, Bytes.ZERO, Set.of());
        List<String> missing = needs.examine(registry).stream()
                .filter(finding -> !finding.isPassed())
                .map(Finding::message)
                .toList();
        // end production-preflight

        assertThat(missing).first().asString().startsWith("0 devices that satisfy 'gpu'");
    }

    @Test
    void gapsAreLogged() {
        AcceleratorRegistry registry = DetectBuilder.none().detect();
        // begin production-gaps
        for (Gap gap : registry.gaps()) {
            LOG.log(System.Logger.Level.WARNING, gap.display());
        }
        boolean mayLackDevices =
                registry.gaps().stream().anyMatch(gap -> gap instanceof Gap.Timeout || gap instanceof Gap.ProbeFailed);
        // end production-gaps

        assertThat(mayLackDevices).isFalse();
    }

    @Test
    void unknownMemoryIsNoMemory() {
        assertThat(hasRoom(AcceleratorProfile.cuda(0, Bytes.ofGib(24)), Bytes.ofGib(8)))
                .isFalse();
    }

    private static boolean hasRoom(AcceleratorProfile device, Bytes needed) {
        // begin production-unknown
        boolean hasRoom = switch (device.memoryFree()) {
            case Reading.Known<Bytes>(Bytes free, var _) -> free.compareTo(needed) >= 0;
            case Reading.Unknown<Bytes>(UnknownReason reason, String detail) -> {
                LOG.log(System.Logger.Level.INFO, device.id().text() + ": " + reason.text() + " " + detail);
                yield false;
            }
        };
        // end production-unknown
        return hasRoom;
    }

    @Test
    void aContainerMayHaveLessMemoryThanItsHost() {
        AcceleratorRegistry registry = DetectBuilder.none().detect();
        // begin production-limit
        Optional<Bytes> granted = registry.systemIo()
                .environment()
                .find()
                .flatMap(environment -> environment.memoryLimit().find());
        // end production-limit

        assertThat(registry.systemIo().environment().isKnown()).isTrue();
        assertThat(granted).isNotNull();
    }
}
