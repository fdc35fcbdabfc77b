// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Backend;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostCapture;
import dev.muster.detect.host.RecordedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examples of `docs/guides/testing-without-hardware.md`.
class TestingGuideTest {
    @TempDir
    private Path folder;

    @Test
    void factoriesMakeDevices() {
        // begin testing-factories
        AcceleratorProfile busy = AcceleratorProfile.cuda(1, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.MEMORY_FREE, Reading.known(Bytes.ofGib(3), Provenance.GIVEN))
                .build();
        AcceleratorRegistry machine = AcceleratorRegistry.of(List.of(
                AcceleratorProfile.cpu(Bytes.ofGib(256)),
                AcceleratorProfile.cuda(0, Bytes.ofGib(80)),
                busy,
                AcceleratorProfile.tpu(0, 8, TpuVersion.V5E)));
        // end testing-factories

        assertThat(machine.byFamily(AcceleratorFamily.GPU)).hasSize(2);
        assertThat(machine.byFamily(AcceleratorFamily.TPU)).hasSize(1);
    }

    @Test
    void documentsHoldWholeMachines() throws IOException {
        Path file =
                Path.of("../cli/src/test/resources/fixtures/registry/h100x8__550.90.07__idle__synthetic.tagged.json");
        // begin testing-document
        AcceleratorRegistry machine = RegistryDocument.read(Files.readAllBytes(file));
        // end testing-document

        assertThat(machine.byFamily(AcceleratorFamily.GPU)).hasSize(8);
    }

    @Test
    void whatIfChangesAMachine() {
        AcceleratorRegistry machine = AcceleratorRegistry.of(
                List.of(AcceleratorProfile.cpu(Bytes.ofGib(64)), AcceleratorProfile.cuda(0, Bytes.ofGib(24))));
        // begin testing-what-if
        AcceleratorRegistry larger = machine.whatIfAdd(List.of(AcceleratorProfile.cuda(1, Bytes.ofGib(24))));
        AcceleratorRegistry withoutGpus =
                machine.whatIfRemove(device -> device.accelerator().kind() == AcceleratorKind.CUDA_GPU);
        // end testing-what-if

        assertThat(larger.profiles()).hasSize(3);
        assertThat(withoutGpus.hasAccelerator()).isFalse();
    }

    @Test
    void aRecordedHostAnswersInPlaceOfTheMachine() {
        Path bundle = folder.resolve("host.tar.gz");
        HostCapture.write(
                new HostBuilder()
                        .file("/proc/meminfo", "MemTotal: 8388608 kB\n")
                        .build(),
                host -> DetectBuilder.all()
                        .build(host, System.getLogger("test"))
                        .detect(),
                bundle,
                false);
        // begin testing-recorded
        Host host = RecordedHost.open(bundle); // what 'muster capture -o host.tar.gz' wrote
        AcceleratorRegistry machine =
                DetectBuilder.all().build(host, System.getLogger("test")).detect();
        // end testing-recorded

        assertThat(machine.totalMemory()).isEqualTo(Bytes.ofGib(8));
    }

    @Test
    void aMadeUpHostHasAToolThatHangs() {
        // begin testing-synthetic
        Host host = new HostBuilder()
                .file("/proc/meminfo", "MemTotal: 8388608 kB\n")
                .tool("nvidia-smi", List.of("*"), 0, "", "", Duration.ofHours(1)) // never answers in time
                .build();
        AcceleratorRegistry machine = DetectBuilder.none()
                .with(Backend.CUDA)
                .build(host, System.getLogger("test"))
                .detect();
        // end testing-synthetic

        assertThat(machine.hasAccelerator()).isFalse();
        assertThat(machine.gaps()).first().isInstanceOf(Gap.Timeout.class);
    }
}
