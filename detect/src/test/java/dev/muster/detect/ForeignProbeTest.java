// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Joules;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Probes that Muster does not bring.
class ForeignProbeTest {
    private static final System.Logger LOG = System.getLogger("test");
    private static final AcceleratorType WARP_CORE = new AcceleratorType.Other("acme", AcceleratorFamily.NPU, 0);

    @TempDir
    Path folder;

    @Test
    void aProbeGivenToTheBuilderFindsItsDevices() {
        AcceleratorRegistry registry = detect(DetectBuilder.none().with(new AcmeProbe()));

        assertThat(registry.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .contains(WARP_CORE);
    }

    @Test
    void aProbeIsToldWhetherTelemetryIsAskedFor() {
        DetectBuilder builder = DetectBuilder.none().with(new AcmeProbe());

        assertThat(detect(builder)
                        .profiles()
                        .getLast()
                        .reading(DeviceFact.ENERGY)
                        .isNotProbed())
                .isTrue();
        assertThat(detect(builder.withTelemetry())
                        .profiles()
                        .getLast()
                        .reading(DeviceFact.ENERGY)
                        .find())
                .contains(new Joules(5));
    }

    @Test
    void aDeviceOfAnotherVendorSurvivesDocuments() {
        AcceleratorRegistry registry = detect(DetectBuilder.none().with(new AcmeProbe()));
        String json = RegistryDocument.write(registry);

        assertThat(json).contains("\"id\":\"acme:0\"").contains("\"vendor\":\"acme\"");
        assertThat(RegistryDocument.read(json.getBytes(StandardCharsets.UTF_8)).profiles())
                .isEqualTo(registry.profiles());
    }

    @Test
    void aProbeThatAJarProvidesAsAServiceFindsItsDevices() throws IOException {
        AcceleratorRegistry registry = withServices(
                AcmeProbe.class.getName(), () -> detect(DetectBuilder.all().withInstalled()));

        assertThat(registry.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .contains(WARP_CORE);
    }

    @Test
    void withoutBeingAskedNoServiceIsLoaded() throws IOException {
        AcceleratorRegistry registry = withServices(AcmeProbe.class.getName(), () -> detect(DetectBuilder.all()));

        assertThat(registry.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .doesNotContain(WARP_CORE);
    }

    @Test
    void aServiceThatCannotBeMadeIsNamed() {
        assertThatThrownBy(() ->
                        withServices("no.such.Probe", () -> DetectBuilder.all().withInstalled()))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("no.such.Probe");
    }

    @Test
    void noTwoProbesHaveTheSameName() {
        DetectBuilder builder = DetectBuilder.all().with(new AcmeProbe());

        assertThatThrownBy(() -> builder.with(new AcmeProbe()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acme");
    }

    @Test
    void aProbeThatThrowsCostsItsOwnAnswerOnly() {
        AcceleratorRegistry registry = detect(DetectBuilder.none().with(new AcmeProbe() {
            @Override
            public ProbeReport probe(ProbeContext context) {
                throw new IllegalStateException("broken");
            }
        }));

        assertThat(registry.profiles()).hasSize(1);
        assertThat(registry.gaps()).extracting(gap -> gap.display()).anyMatch(text -> text.contains("broken"));
    }

    @Test
    void aHolderAsksItForEveryFamily() {
        RegistryHolder lazy =
                RegistryHolder.of(DetectBuilder.none().with(new AcmeProbe()).build(host().host(), LOG));

        assertThat(lazy.byFamily(AcceleratorFamily.GPU)).isEmpty();
        assertThat(lazy.byFamily(AcceleratorFamily.NPU)).hasSize(1);
    }

    private static AcceleratorRegistry detect(DetectBuilder builder) {
        return builder.build(host().host(), LOG).detect();
    }

    private static HostSketch host() {
        return new HostSketch().file("/dev/acme0", "");
    }

    private <T> T withServices(String provider, Supplier<T> work) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(Probe.class.getName()), provider + "\n");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /// Finds a device for each node `/dev/acme0`, `/dev/acme1` …
    public static class AcmeProbe implements Probe {
        @Override
        public String name() {
            return "acme";
        }

        @Override
        public List<AcceleratorKind> kinds() {
            return List.of(AcceleratorKind.OTHER);
        }

        @Override
        public boolean hasSigns(ProbeContext context) {
            return context.hasNode("acme");
        }

        @Override
        public ProbeReport probe(ProbeContext context) {
            AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(WARP_CORE)
                    .with(DeviceFact.MEMORY, Reading.known(Bytes.ofGib(32), context.fromFile("/dev/acme0")));
            if (context.asksTelemetry()) {
                device.with(DeviceFact.ENERGY, Reading.known(new Joules(5), context.fromFile("/dev/acme0")));
            }
            return ProbeReport.builder().add(device.build()).build();
        }
    }
}
