// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Hosts with AMD's devices, and what tests ask of them.
final class AmdHosts {
    static final Provenance TOOL = Provenance.of("tool", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    private static final String NODES = "/sys/class/kfd/kfd/topology/nodes/";

    private AmdHosts() {}

    /// A host with the cards of a recording.
    static HostSketch drm(String name) throws IOException {
        return new HostSketch().tar(Fixtures.sharedTar("amd/sysfs-drm/" + name + ".tar.gz"), name, "/sys/class/drm");
    }

    static ProbeReport probe(HostSketch host) {
        assertThat(new RocmProbe().hasSigns(Contexts.of(host))).isTrue();
        return new RocmProbe().probe(Contexts.of(host));
    }

    static AcceleratorProfile only(ProbeReport report) {
        assertThat(report.profiles()).hasSize(1);
        return report.profiles().getFirst();
    }

    static <T> Optional<T> fact(AcceleratorProfile profile, DeviceFact<T> fact) {
        return profile.reading(fact).find();
    }

    static List<AcceleratorProfile> wholes(ProbeReport report) {
        return report.profiles().stream()
                .filter(profile -> profile.partition().isEmpty())
                .toList();
    }

    /// A card as the reference's conformance trees have it: no PCI bus, no compute driver.
    static HostSketch bareCard(HostSketch host, int number) {
        String device = "/sys/devices/amd" + number;
        return host.file("/sys/class/drm/card" + number + "/dev", "226:0\n")
                .link("/sys/class/drm/card" + number + "/device", "../../../devices/amd" + number)
                .link(device + "/driver", "../../bus/pci/drivers/amdgpu")
                .file(device + "/vendor", "0x1002\n")
                .file(device + "/device", "0x740f\n")
                .file(device + "/revision", "0x02\n")
                .file(device + "/mem_info_vram_total", "68719476736\n")
                .file(device + "/mem_info_vram_used", "1073741824\n")
                .file(device + "/pp_dpm_mclk", "0: 400Mhz\n1: 1600Mhz *\n")
                .file(device + "/pp_dpm_sclk", "0: 800Mhz *\n1: 1700Mhz\n")
                .file(device + "/gpu_busy_percent", "33\n")
                .file(device + "/vbios_version", "113-D67301-063\n")
                .file(device + "/hwmon/hwmon0/temp1_input", "47000\n")
                .file(device + "/hwmon/hwmon0/power1_average", "93000000\n");
    }

    /// A card with a place on the bus.
    static HostSketch card(HostSketch host, int number, String address, String id) {
        String device = "/sys/class/drm/card" + number + "/device";
        return host.file(device + "/uevent", "DRIVER=amdgpu\nPCI_ID=" + id + "\nPCI_SLOT_NAME=" + address + "\n")
                .file(device + "/mem_info_vram_total", "68702699520\n");
    }

    /// A GPU in the compute driver's topology; 0 stands for what it does not tell.
    static HostSketch node(HostSketch host, int number, int location, String uniqueId, String hive) {
        return host.file(
                NODES + number + "/properties",
                "cpu_cores_count 0\nsimd_count 416\nsimd_per_cu 4\ngfx_target_version 90010\nvendor_id 4098\n"
                        + "device_id 29704\ndomain 0\nlocation_id " + location + "\ndrm_render_minor "
                        + (127 + number) + "\nhive_id " + hive + "\nunique_id " + uniqueId + "\n");
    }

    static HostSketch link(HostSketch host, int from, int to, int type, int megabytes) {
        return host.file(
                NODES + from + "/io_links/" + to + "/properties",
                "type " + type + "\nnode_from " + from + "\nnode_to " + to + "\nweight 15\nmax_bandwidth " + megabytes
                        + "\n");
    }
}
