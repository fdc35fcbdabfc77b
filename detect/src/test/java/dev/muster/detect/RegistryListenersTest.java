// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.RegistryDifference;
import dev.muster.detect.RegistryHolder.RegistryEvent;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class RegistryListenersTest {
    private static final Host BARE = new HostSketch().host();
    private static final Host WITH_NPU = new HostSketch()
            .pci("0000:c5:00.1", "1022:17F0", "118000", "amdxdna")
            .host();

    private volatile Host plugged = BARE;
    private final RegistryHolder monitor =
            RegistryHolder.of(DetectBuilder.all().build(hotPlug(), System.getLogger("test")));
    private final List<RegistryEvent> events = new ArrayList<>();

    @Test
    void tellsOfDevicesThatComeAndGo() {
        monitor.listen(events::add);
        AcceleratorRegistry before = monitor.get();

        plugged = WITH_NPU;
        RegistryDifference added = monitor.refresh();

        assertThat(before.hasAccelerator()).isFalse();
        assertThat(monitor.get()).isNotSameAs(before);
        assertThat(added.devices()).anyMatch(RegistryDifference.DeviceChange::isAdded);
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.added()).isTrue();
            assertThat(event.profile().accelerator().kind()).isEqualTo(AcceleratorKind.AMD_XDNA_NPU);
        });

        plugged = BARE;
        monitor.refresh();

        assertThat(events).hasSize(2);
        assertThat(events.getLast().added()).isFalse();
        assertThat(events.getLast().profile()).isEqualTo(events.getFirst().profile());
    }

    @Test
    void tellsOfWhatARenewedRegistryShows() {
        RegistryHolder holder =
                RegistryHolder.of(DetectBuilder.all().build(hotPlug(), System.getLogger("test")), Duration.ZERO);
        holder.listen(events::add);

        plugged = WITH_NPU;
        holder.get();

        assertThat(events).extracting(RegistryEvent::added).containsExactly(true);
    }

    @Test
    void tellsNothingWhereNothingChanged() {
        monitor.listen(events::add);

        assertThat(monitor.refresh().isEmpty()).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void aListenerThatFailsOrLeftDoesNotDisturbTheOthers() {
        monitor.listen(_ -> {
            throw new IllegalStateException("a broken listener");
        });
        RegistryHolder.Subscription left = monitor.listen(events::add);
        monitor.listen(events::add);
        left.close();

        plugged = WITH_NPU;
        monitor.refresh();

        assertThat(events).hasSize(1);
    }

    @Test
    void aListenerMayRefresh() {
        monitor.listen(event -> {
            events.add(event);
            plugged = BARE;
            monitor.refresh();
        });

        plugged = WITH_NPU;
        monitor.refresh();

        assertThat(events).extracting(RegistryEvent::added).containsExactly(true, false);
    }

    @Test
    void anInterruptedRefreshRemovesNothing() {
        plugged = WITH_NPU;
        monitor.refresh();
        monitor.listen(events::add);

        Thread.currentThread().interrupt();
        RegistryDifference difference = monitor.refresh();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(difference.isEmpty()).isTrue();
        assertThat(monitor.get().hasAccelerator()).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void aDeviceThatAFailedProbeDoesNotSeeIsNotToldAsRemoved() {
        AtomicBoolean broken = new AtomicBoolean();
        Host host = new HostSketch().host();
        RegistryHolder holder = RegistryHolder.of(
                DetectBuilder.none().with(new Flaky(broken::get)).build(host, System.getLogger("test")));
        holder.listen(events::add);
        assertThat(holder.get().hasAccelerator()).isTrue();

        broken.set(true);
        holder.refresh();

        assertThat(holder.get().hasAccelerator()).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void manyRefreshesTellOfADeviceOnce() throws InterruptedException {
        List<RegistryEvent> seen = Collections.synchronizedList(events);
        monitor.listen(seen::add);
        plugged = WITH_NPU;

        Crowd.of(16, monitor::refresh);

        assertThat(seen).hasSize(1);
        assertThat(monitor.get().hasAccelerator()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("muster-asks-amd_xdna"));
    }

    /// Finds a device, or throws.
    private static final class Flaky extends ForeignProbeTest.AcmeProbe {
        private final BooleanSupplier broken;

        Flaky(BooleanSupplier broken) {
            this.broken = broken;
        }

        @Override
        public boolean hasSigns(ProbeContext context) {
            return true;
        }

        @Override
        public ProbeReport probe(ProbeContext context) {
            if (broken.getAsBoolean()) {
                throw new IllegalStateException("broken");
            }
            return super.probe(context);
        }
    }

    /// A host whose files are those of the currently attached devices.
    private Host hotPlug() {
        HostFiles files = (HostFiles) Proxy.newProxyInstance(
                HostFiles.class.getClassLoader(),
                new Class<?>[] {HostFiles.class},
                (proxy, method, arguments) -> method.invoke(plugged.files(), arguments));
        return new Host(
                BARE.system(),
                BARE.architecture(),
                files,
                BARE.commands(),
                BARE.libraries(),
                BARE.variables(),
                BARE.clock());
    }
}
