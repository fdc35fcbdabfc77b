// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that use devices all leave out the same ones.
class DeviceChoiceCommandsTest {
    @TempDir
    private Path folder;

    private Path busy = Path.of("");
    private Path divided = Path.of("");

    @BeforeEach
    void saveRegistries() throws IOException {
        AcceleratorRegistry box = WhatIf.synthetic("[h100-sxm:8 nvswitch]", DeviceCatalogue.builtIn());
        busy = save("busy.json", box, "cuda:0", "cuda:7");
        divided = folder.resolve("divided.json");
        AcceleratorRegistry one = WhatIf.synthetic("h100-sxm:1", DeviceCatalogue.builtIn());
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (AcceleratorProfile profile : one.profiles()) {
            boolean isGpu = profile.id().text().equals("cuda:0");
            profiles.add(
                    isGpu
                            ? profile.toBuilder()
                                    .with(DeviceFact.PARTITIONING, given("MIG"))
                                    .build()
                            : profile);
        }
        profiles.add(AcceleratorProfile.cuda(0, Bytes.of(42_412_802_048L)).toBuilder()
                .partition(new Partition(new DeviceId("cuda:0"), "MIG-5f1a0000-0000-0000-0000-000000000001", "3g.40gb"))
                .build());
        Files.write(
                divided,
                RegistryDocument.write(AcceleratorRegistry.of(profiles)).getBytes(UTF_8));
    }

    private Path save(String name, AcceleratorRegistry box, String held, String unhealthy) throws IOException {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (AcceleratorProfile profile : box.profiles()) {
            AcceleratorProfile.ProfileBuilder device = profile.toBuilder();
            if (profile.id().text().equals(held)) {
                device.with(DeviceFact.UTILIZATION, given(new Ratio(0.98)))
                        .with(DeviceFact.MEMORY_FREE, given(Bytes.ofGib(8)));
            }
            if (profile.id().text().equals(unhealthy)) {
                device.with(DeviceFact.ECC_UNCORRECTED, given(4L));
            }
            profiles.add(device.build());
        }
        Path file = folder.resolve(name);
        Files.write(file, RegistryDocument.write(box.withDevices(profiles)).getBytes(UTF_8));
        return file;
    }

    private static <T> Reading<T> given(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    private static Outcome run(String... words) {
        return MusterRun.inPipe().run(words);
    }

    @Test
    void aPlanLeavesOutABusyAndAnUnwellDevice() {
        Outcome plan = run("plan", "llama-3.1-8b", "--concurrency", "64", "--registry", busy.toString());
        assertThat(plan.out()).contains("6 of 6 x H100 SXM5 80GB (cuda:1-6)");
        assertThat(plan.err())
                .contains("cuda:0 is in use: 98 % load, 90 % of its memory taken; it is left out")
                .contains("cuda:7 has 4 uncorrected memory errors; it is left out");
    }

    @Test
    void aPlanOnNamedDevicesTakesThemAllTheSame() {
        Outcome plan = run(
                "plan", "llama-3.1-8b", "--devices", "cuda:6,7", "--concurrency", "64", "--registry", busy.toString());
        assertThat(plan.out()).contains("2 of 2 x H100 SXM5 80GB (cuda:6-7)");
    }

    @Test
    void aSummaryNamesTheBestDeviceThatMayBeUsed() {
        assertThat(run("detect", "--summary", "--registry", busy.toString()).out())
                .contains("Best device: cuda:6");
    }

    @Test
    void aCheckOfEightDevicesFailsWhereTwoMayNotBeUsed() {
        Outcome check = run("check", "--requirement", "gpu", "--count", "8", "--registry", busy.toString());
        assertThat(check.code()).isEqualTo(ExitCode.NO);
        assertThat(check.out()).startsWith("FAIL  count: 6 devices that satisfy 'gpu', 8 required; cuda:0 is in use");
    }

    @Test
    void fitAndTrainUseWhatPlanUses() {
        assertThat(run("fit", "llama-3.1-8b", "--registry", busy.toString()).out())
                .contains("6 x H100 SXM5 80GB");
        assertThat(run("train", "llama-3.1-8b", "--batch", "48", "--registry", busy.toString())
                        .out())
                .contains("of 6 x H100 SXM5 80GB (cuda:1");
    }

    @Test
    void aDividedGpuIsItsSlices() {
        Outcome check = run("check", "--requirement", "gpu", "--min-memory", "60GiB", "--registry", divided.toString());
        assertThat(check.code()).isEqualTo(ExitCode.NO);
        Outcome plan = run("plan", "qwen3-32b", "--registry", divided.toString());
        assertThat(plan.code()).isEqualTo(ExitCode.NO);
        assertThat(plan.out()).contains("1 x H100 SXM5 80GB slice 3g.40gb");
        assertThat(run("plan", "llama-3.1-8b", "--emit", "vllm", "--registry", divided.toString())
                        .out())
                .contains("CUDA_VISIBLE_DEVICES=MIG-5f1a0000-0000-0000-0000-000000000001 vllm serve");
    }
}
