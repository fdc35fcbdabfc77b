// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.RandomRegistry;
import dev.muster.core.Reading;
import dev.muster.core.Trials;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryChangesTest {
    private static final Provenance TOOL =
            Provenance.of("nvidia-smi", Provenance.Method.COMMAND, Provenance.Confidence.STATED);

    private static AcceleratorRegistry read(AcceleratorRegistry base, String text) {
        return RegistryChanges.read(base, text.getBytes(StandardCharsets.UTF_8));
    }

    private static AcceleratorRegistry host(String uuid, double temperature) {
        return AcceleratorRegistry.of(List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.UUID, Reading.known(uuid, TOOL))
                .with(DeviceFact.TEMPERATURE, Reading.known(new Celsius(temperature), TOOL))
                .build()));
    }

    @Test
    void onlyWhatDiffersIsSaid() {
        AcceleratorRegistry base = host("GPU-1", 40);
        assertThat(RegistryChanges.write(base, host("GPU-1", 40))).contains("{}");
        assertThat(RegistryChanges.write(base, host("GPU-2", 40))).contains("{\"devices\":[{\"uuid\":\"GPU-2\"}]}");
        assertThat(RegistryChanges.write(base, host("GPU-1", 55.5)))
                .contains("{\"devices\":[{\"temperatureCelsius\":55.5}]}");
    }

    /// Any registry of which some values are others, as on the next host of the same kind.
    @Test
    void readsBackWhatItWrites() {
        Trials.run(400, random -> {
            AcceleratorRegistry base = RandomRegistry.own(random);
            AcceleratorRegistry other = withOtherValues(base, RandomRegistry.own(random), random);
            String changes = RegistryChanges.write(base, other).orElseThrow();
            assertThat(read(base, changes)).isEqualTo(other);
        });
    }

    private static AcceleratorRegistry withOtherValues(
            AcceleratorRegistry base, AcceleratorRegistry donor, Random random) {
        List<AcceleratorProfile> devices = base.profiles().stream()
                .map(device -> {
                    AcceleratorProfile.ProfileBuilder copy = device.toBuilder().available(random.nextBoolean());
                    for (AcceleratorProfile other : donor.profiles()) {
                        DeviceFact.all().forEach(fact -> takeValue(copy, device, other, fact));
                    }
                    return copy.build();
                })
                .toList();
        return new AcceleratorRegistry(
                base.referenceSchema(), devices, base.gaps(), base.systemIo(), base.topology(), base.observedAt());
    }

    private static <T> void takeValue(
            AcceleratorProfile.ProfileBuilder copy,
            AcceleratorProfile device,
            AcceleratorProfile other,
            DeviceFact<T> fact) {
        if (device.reading(fact) instanceof Reading.Known<T> own
                && other.reading(fact) instanceof Reading.Known<T> others) {
            copy.with(fact, Reading.known(others.value(), own.provenance()));
        }
    }

    @Test
    void aRegistryOfAnotherShapeIsNotSaidSo() {
        AcceleratorRegistry base = host("GPU-1", 40);
        AcceleratorProfile device = base.profiles().getFirst();
        AcceleratorRegistry hearsay = base.withDevices(List.of(device.toBuilder()
                .with(DeviceFact.UUID, Reading.known("GPU-1", Provenance.GIVEN))
                .build()));
        AcceleratorRegistry less = base.withDevices(List.of(device.toBuilder()
                .with(DeviceFact.TEMPERATURE, Reading.notProbed())
                .build()));
        AcceleratorRegistry two = AcceleratorRegistry.of(List.of(device, AcceleratorProfile.cuda(1, Bytes.ofGib(80))));
        AcceleratorRegistry otherKind = AcceleratorRegistry.of(List.of(AcceleratorProfile.rocm(0, Bytes.ofGib(80))));
        for (AcceleratorRegistry other : List.of(hearsay, less, two, otherKind)) {
            assertThat(RegistryChanges.write(base, other)).isEmpty();
        }
    }

    @Test
    void keysOfLaterReleasesAreReadOver() {
        AcceleratorRegistry base = host("GPU-1", 40);
        assertThat(read(base, "{\"new\":[1],\"devices\":[{\"newer\":{},\"uuid\":\"GPU-2\"}]}"))
                .isEqualTo(host("GPU-2", 40));
        assertThat(read(base, "{\"devices\":[]}")).isEqualTo(base);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"devices\":{}}",
                "{\"devices\":[{},{}]}",
                "{\"devices\":[{\"uuid\":1}]}",
                "{\"devices\":[{\"driverVersion\":\"x\"}]}",
                "{\"observedAt\":\"2026-11-15T08:30:00Z\"}",
                "{} x",
            })
    void whatSaysNoChangeIsRefused(String text) {
        assertThatExceptionOfType(DocumentException.class).isThrownBy(() -> read(host("GPU-1", 40), text));
    }
}
