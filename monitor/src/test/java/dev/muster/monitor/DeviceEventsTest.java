// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.monitor.DeviceEvent.DeviceEventKind;
import dev.muster.monitor.Sampler.Sample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceEventsTest {
    private final DeviceEvents events = new DeviceEvents();
    private long second;

    @Test
    void theFirstSampleIsNoNews() {
        assertThat(add(gpu(0, DeviceFact.ECC_UNCORRECTED, 3L))).isEmpty();
    }

    @Test
    void aLostDeviceIsTold() {
        add(gpu(0), gpu(1));
        assertThat(add(gpu(0)))
                .singleElement()
                .satisfies(event -> assertThat(event.kind()).isEqualTo(DeviceEventKind.LOST))
                .satisfies(event -> assertThat(event.toJson().toText())
                        .contains("\"device\":\"cuda:1\"", "\"event\":\"lost\"", "cuda:1 is no longer there"));
    }

    @Test
    void aDeviceThatCanNoLongerBeUsedIsTold() {
        add(gpu(0));
        assertThat(kinds(add(gpu(0).toBuilder().available(false).build()))).containsExactly(DeviceEventKind.LOST);
        assertThat(kinds(add(gpu(0)))).containsExactly(DeviceEventKind.FOUND);
    }

    @Test
    void memoryErrorsAreToldAndSoAreMoreOfThem() {
        add(gpu(0));
        assertThat(add(gpu(0, DeviceFact.ECC_UNCORRECTED, 1L)))
                .singleElement()
                .satisfies(event -> assertThat(event.kind()).isEqualTo(DeviceEventKind.MEMORY_ERROR))
                .satisfies(event -> assertThat(event.message()).contains("1 uncorrected memory error"));
        second += 100;
        assertThat(add(gpu(0, DeviceFact.ECC_UNCORRECTED, 4L)))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).isEqualTo("has 3 more uncorrected memory errors"));
    }

    @Test
    void aLinkThatWentDownIsTold() {
        add(gpu(0));
        assertThat(kinds(add(gpu(0, DeviceFact.FABRIC_LINKS_DOWN, 2L)))).containsExactly(DeviceEventKind.LINK_DOWN);
    }

    @Test
    void heatThatSlowsADeviceIsToldAndACapOfPowerIsNot() {
        add(gpu(0));
        assertThat(add(gpu(0, DeviceFact.THROTTLING, "sw power cap"))).isEmpty();
        assertThat(kinds(add(gpu(0, DeviceFact.THROTTLING, "hw thermal slowdown"))))
                .containsExactly(DeviceEventKind.THROTTLED);
        assertThat(kinds(add(gpu(0)))).containsExactly(DeviceEventKind.UNTHROTTLED);
    }

    @Test
    void aDeviceThatChangesToAndFroIsToldOnceAMinute() {
        AcceleratorProfile down = gpu(0, DeviceFact.FABRIC_LINKS_DOWN, 2L);
        add(gpu(0));
        int told = 0;
        for (int i = 0; i < 30; i++) {
            told += add(down).size() + add(gpu(0)).size();
        }
        assertThat(told).as("down and up, twice in two minutes at most").isBetween(2, 4);
    }

    @Test
    void listenersGetWhatIsNewAndTheNewestAreKept() {
        List<DeviceEvent> heard = new ArrayList<>();
        Runnable end = events.subscribe(heard::addAll);
        add(gpu(0));
        for (int i = 1; i <= DeviceEvents.KEPT + 5; i++) {
            add(gpu(0), gpu(i));
        }
        end.run();
        add(gpu(0));

        assertThat(events.recent()).hasSize(DeviceEvents.KEPT);
        assertThat(events.recent().getLast().number()).isEqualTo(heard.size() + 1);
        assertThat(heard).extracting(DeviceEvent::number).isSorted().doesNotHaveDuplicates();
    }

    private List<DeviceEvent> add(AcceleratorProfile... devices) {
        second += 2;
        return events.add(new Sample(second, Instant.ofEpochSecond(second), AcceleratorRegistry.of(List.of(devices))));
    }

    private static List<DeviceEventKind> kinds(List<DeviceEvent> events) {
        return events.stream().map(DeviceEvent::kind).toList();
    }

    private static AcceleratorProfile gpu(int number) {
        return AcceleratorProfile.cuda(number, Bytes.ofGib(80));
    }

    private static <T> AcceleratorProfile gpu(int number, DeviceFact<T> fact, T value) {
        return gpu(number).toBuilder()
                .with(fact, Reading.known(value, Provenance.GIVEN))
                .build();
    }
}
