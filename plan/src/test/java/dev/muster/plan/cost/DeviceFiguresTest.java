// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures.Linkage;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The provenance of every figure, after any change.
class DeviceFiguresTest {
    private static final String COLUMNS =
            "device_id,vendor,name,class,memory_gb,memory_type,mem_bw_gbs,fp32_tflops,tf32_tflops,fp16_tflops,"
                    + "bf16_tflops,fp8_tflops,int8_tops,fp4_tflops,ic_kind,ic_bidir_gbs,ic_domain,tdp_w,launch_year,"
                    + "pci_ids,short_names,aliases,compute_units,devices_shown,confidence,source,note,checked,"
                    + "compute_capability\n";
    private static final DeviceEntry ENTRY =
            DeviceCatalogue.builtIn().find("h100-sxm").orElseThrow();
    private static final DeviceFigures H100 = DeviceFigures.of(ENTRY);
    private static final Provenance MEASURED =
            Provenance.of("test", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED);

    private static Provenance source(Reading<?> reading) {
        if (reading instanceof Reading.Known<?>(var _, Provenance source)) {
            return source;
        }
        throw new AssertionError("unknown: " + reading);
    }

    @Test
    void figuresOfTheCatalogueSaySo() {
        assertThat(source(H100.memorySize())).isEqualTo(ENTRY.provenance());
        assertThat(source(H100.memoryBandwidth())).isEqualTo(ENTRY.provenance());
        assertThat(source(H100.halfRate())).isEqualTo(ENTRY.provenance());
        assertThat(source(H100.powerLimit())).isEqualTo(ENTRY.provenance());
        assertThat(H100.memoryFree().isKnown()).isFalse();
    }

    @Test
    void aCopyKeepsEveryFigure() {
        DeviceFigures copy = H100.toBuilder().build();
        assertThat(copy).isEqualTo(H100).hasSameHashCodeAs(H100);
        assertThat(copy.memorySize()).isEqualTo(H100.memorySize());
        assertThat(copy.memoryBandwidth()).isEqualTo(H100.memoryBandwidth());
        assertThat(copy.halfRate()).isEqualTo(H100.halfRate());
        assertThat(copy.powerLimit()).isEqualTo(H100.powerLimit());
        assertThat(copy.linkRate()).isEqualTo(H100.linkRate());
        assertThat(copy.linkage()).isEqualTo(H100.linkage());
        assertThat(copy.domain()).isEqualTo(H100.domain());
        assertThat(copy.leastFloatBits()).isEqualTo(H100.leastFloatBits());
        assertThat(copy.halfSums()).isEqualTo(H100.halfSums());
        assertThat(copy.eight()).isEqualTo(H100.eight());
        assertThat(copy.four()).isEqualTo(H100.four());
    }

    @Test
    void whatWasMeasuredSaysSoAndTheRestStaysAsItWas() {
        DeviceFigures measured = H100.times(0.5, 0.25, MEASURED);
        assertThat(measured.bandwidth()).isCloseTo(H100.bandwidth() / 2, within(1.0));
        assertThat(measured.half()).isCloseTo(H100.half() / 4, within(1.0));
        assertThat(measured.eight()).isCloseTo(H100.eight() / 4, within(1.0));
        assertThat(source(measured.memoryBandwidth())).isEqualTo(MEASURED);
        assertThat(source(measured.halfRate())).isEqualTo(MEASURED);
        assertThat(measured.memorySize()).isEqualTo(H100.memorySize());
        assertThat(measured.linkRate()).isEqualTo(H100.linkRate());
    }

    @Test
    void otherMemoryIsGivenAndAllOfItFree() {
        DeviceFigures other = H100.toBuilder()
                .memoryFree(Reading.known(Bytes.ofGib(1), MEASURED))
                .build()
                .withMemory(Bytes.ofGib(40));
        assertThat(other.memory()).isEqualTo(Bytes.ofGib(40).toDouble());
        assertThat(other.free()).isEqualTo(other.memory());
        assertThat(source(other.memorySize())).isEqualTo(Provenance.GIVEN);
    }

    @Test
    void anEngineGetsNoMoreThanIsFree() {
        DeviceFigures busy = H100.toBuilder()
                .memoryFree(Reading.known(Bytes.ofGib(30), MEASURED))
                .build();
        assertThat(busy.free()).isEqualTo(Bytes.ofGib(30).toDouble());
        assertThat(busy.within(Bytes.ofGib(70).toDouble()))
                .isEqualTo(Bytes.ofGib(30).toDouble());
        assertThat(busy.within(Bytes.ofGib(20).toDouble()))
                .isEqualTo(Bytes.ofGib(20).toDouble());
        assertThat(source(busy.memoryFree())).isEqualTo(MEASURED);
        assertThat(busy).isNotEqualTo(H100);
    }

    /// Regression: `DeviceFigures` held raw doubles in which 0 meant "not stated".
    @Test
    void figuresAreReadingsInWhichZeroDoesNotMeanNotSaid() {
        DeviceEntry silent =
                entry("silent-npu,acme,Silent NPU,edge,16,LPDDR5,100,,,,,,,,none,,,,,,,,,,low,a leaflet,,,");
        DeviceFigures figures = DeviceFigures.of(silent);
        for (Reading<?> unstated : List.of(
                figures.halfRate(),
                figures.eightBitRate(),
                figures.fourBitRate(),
                figures.linkRate(),
                figures.powerLimit(),
                figures.computeCapability(),
                figures.memoryFree())) {
            assertThat(unstated).isInstanceOf(Reading.Unknown.class);
        }
        assertThat(figures.half()).isNaN();
        assertThat(figures.power()).isEmpty();
        assertThat(figures.linkage()).isEqualTo(Linkage.NONE);
        assertThat(figures.isComplete()).isFalse();
        DeviceFigures still = DeviceFigures.builder("still", DeviceFamily.OTHER)
                .bandwidth(Reading.known(new Bandwidth(0), MEASURED))
                .build();
        assertThat(still.memoryBandwidth().isKnown()).isTrue();
        assertThat(still.bandwidth()).isZero();
        assertThat(still).isNotEqualTo(figures);
    }

    @Test
    void everyFigureOfEveryDeviceNamesItsSource() {
        for (DeviceEntry entry : DeviceCatalogue.builtIn().entries()) {
            DeviceFigures figures = DeviceFigures.of(entry);
            for (Reading<?> figure : readings(figures)) {
                assertThat(figure.isKnown() ? source(figure) : entry.provenance())
                        .as(entry.id())
                        .isEqualTo(entry.provenance());
            }
            for (Reading<?> figure : readings(figures.times(2, 2, MEASURED))) {
                assertThat(!figure.isKnown() || !source(figure).source().isBlank())
                        .as(entry.id())
                        .isTrue();
            }
        }
    }

    /// Returns all readings of the figures.
    private static List<Reading<?>> readings(DeviceFigures figures) {
        List<Reading<?>> readings = new ArrayList<>();
        for (Method method : DeviceFigures.class.getMethods()) {
            if (method.getReturnType() == Reading.class) {
                try {
                    readings.add((Reading<?>) method.invoke(figures));
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError("cannot call " + method, e);
                }
            }
        }
        assertThat(readings).hasSizeGreaterThanOrEqualTo(9);
        return readings;
    }

    private static DeviceEntry entry(String row) {
        return DeviceCatalogue.parse(COLUMNS + row + "\n").entries().getFirst();
    }

    @Test
    void whatIsUnknownStaysUnknownAndNeverBecomesZero() {
        DeviceFigures nothing =
                DeviceFigures.builder("nothing", DeviceFamily.OTHER).build();
        assertThat(nothing.isComplete()).isFalse();
        assertThat(nothing.memory()).isNaN();
        assertThat(nothing.bandwidth()).isNaN();
        assertThat(nothing.half()).isNaN();
        assertThat(nothing.power()).isEmpty();
        assertThat(nothing.times(2, 2, MEASURED).memoryBandwidth().isKnown()).isFalse();
        DeviceFigures powerless = H100.toBuilder()
                .power(Reading.unknown(UnknownReason.NOT_STATED))
                .build();
        assertThat(powerless.power()).isEmpty();
        assertThat(powerless.isComplete()).isTrue();
    }

    @Test
    void unitsForFewerBitsAreAsFastAsThoseForMoreUnlessStated() {
        DeviceFigures plain = DeviceFigures.builder("plain", DeviceFamily.OTHER)
                .memory(Reading.known(Bytes.ofGib(8), MEASURED))
                .bandwidth(Reading.known(new Bandwidth(100), MEASURED))
                .half(Reading.known(new OperationRate(10), MEASURED))
                .build();
        assertThat(plain.isComplete()).isTrue();
        assertThat(plain.eight()).isEqualTo(plain.half());
        assertThat(plain.four()).isEqualTo(plain.half());
    }

    @Test
    void overANetworkTheLinkIsTheNetworks() {
        DeviceFigures far = H100.overNetwork(50e9);
        assertThat(H100.linkage()).isEqualTo(Linkage.FABRIC);
        assertThat(far.linkage()).isEqualTo(Linkage.NETWORK);
        assertThat(far.isNetworked()).isTrue();
        assertThat(far.link()).isCloseTo(50e9, within(1.0));
        assertThat(source(far.linkRate()).source()).isEqualTo("network");
        assertThat(far.halfRate()).isEqualTo(H100.halfRate());
    }
}
