// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.mesh.GpuPreference.BackendId;
import dev.muster.mesh.GpuPreference.NameContains;
import dev.muster.mesh.GpuPreference.Partition;
import dev.muster.mesh.GpuPreference.PciBusId;
import org.junit.jupiter.api.Test;

/// The preferences that kapsl-hal's tests state (6 to 15).
class GpuPreferenceTest {
    private static final MeshDevice DEVICE = MeshDevice.of(2, "NVIDIA A100-SXM4-80GB", DeviceBackend.CUDA);

    @Test
    void readsEveryForm() {
        assertThat(GpuPreference.parse("cuda:2")).contains(new BackendId("cuda", 2));
        assertThat(GpuPreference.parse(" CUDA : 2 ")).contains(new BackendId("cuda", 2));
        assertThat(GpuPreference.parse("0000:01:00.0")).contains(new PciBusId("0000:01:00.0"));
        assertThat(GpuPreference.parse("A100")).contains(new NameContains("a100"));
        assertThat(GpuPreference.parse("mig:GPU-abc123/0/0")).contains(new Partition("GPU-abc123/0/0"));
        assertThat(GpuPreference.parse("partition:GPU-xyz/1/0")).contains(new Partition("GPU-xyz/1/0"));
        assertThat(GpuPreference.parse("MIG:GPU-abc")).contains(new Partition("GPU-abc"));
    }

    @Test
    void blankTextIsNoPreference() {
        assertThat(GpuPreference.parse("")).isEmpty();
        assertThat(GpuPreference.parse("   ")).isEmpty();
    }

    @Test
    void otherTextIsAPartOfAName() {
        assertThat(GpuPreference.parse("mig:")).contains(new NameContains("mig:"));
        assertThat(GpuPreference.parse("cuda:-1")).contains(new NameContains("cuda:-1"));
        assertThat(GpuPreference.parse("cuda:99999999999")).contains(new NameContains("cuda:99999999999"));
        assertThat(GpuPreference.parse("GPU-0123")).contains(new NameContains("gpu-0123"));
    }

    @Test
    void backendAndNumberMustBothAgree() {
        assertThat(new BackendId("cuda", 2).matches(DEVICE)).isTrue();
        assertThat(new BackendId("cuda", 1).matches(DEVICE)).isFalse();
        assertThat(new BackendId("rocm", 2).matches(DEVICE)).isFalse();
    }

    @Test
    void placesOnTheBusMatchInAnyCaseAndForm() {
        MeshDevice placed = DEVICE.with(DeviceFact.PCI_ADDRESS, new PciAddress(0, 0x3b, 0, 0));
        assertThat(new PciBusId("0000:3B:00.0").matches(placed)).isTrue();
        assertThat(new PciBusId("0000:3b:00.1").matches(placed)).isFalse();
        assertThat(new PciBusId("0000:3b:00.0").matches(DEVICE)).isFalse();
        // Beyond kapsl-hal: nvidia-smi writes the same place with eight digits before the colon.
        assertThat(new PciBusId("00000000:3B:00.0").matches(placed)).isTrue();
    }

    @Test
    void namesMatchInAnyCase() {
        assertThat(new NameContains("a100").matches(DEVICE)).isTrue();
        assertThat(new NameContains("h100").matches(DEVICE)).isFalse();
    }

    @Test
    void partitionsMatchInAnyCase() {
        MeshDevice slice = DEVICE.with(DeviceFact.UUID, "MIG-GPU-abc/1/0");
        assertThat(new Partition("mig-gpu-ABC/1/0").matches(slice)).isTrue();
        assertThat(new Partition("MIG-GPU-abc/2/0").matches(slice)).isFalse();
        assertThat(new Partition("MIG-GPU-abc/1/0").matches(DEVICE)).isFalse();
    }
}
