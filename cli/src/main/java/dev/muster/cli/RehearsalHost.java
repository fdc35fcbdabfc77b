// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A made-up recorded host of two GPUs, for the calls that a start-up cache is recorded by. The caller closes it, which
/// removes its folder.
///
/// @param folder the bundle
record RehearsalHost(Path folder) implements AutoCloseable {
    private static final String GPU = """
            <gpu id="00000000:%d0:00.0"><product_name>GPU</product_name><product_architecture>Hopper</product_architecture>
            <mig_mode><current_mig>Disabled</current_mig></mig_mode><uuid>GPU-%d</uuid>
            <gpu_recovery_action>None</gpu_recovery_action><pci><pci_device_id>233010DE</pci_device_id>
            <pci_gpu_link_info><pcie_gen><max_link_gen>5</max_link_gen><current_link_gen>5</current_link_gen></pcie_gen>
            <link_widths><max_link_width>16x</max_link_width><current_link_width>16x</current_link_width></link_widths>
            </pci_gpu_link_info></pci>
            <fb_memory_usage><total>81559 MiB</total><used>0 MiB</used><free>81000 MiB</free></fb_memory_usage>
            <ecc_mode><current_ecc>Enabled</current_ecc></ecc_mode><ecc_errors>
            <volatile><sram_correctable>0</sram_correctable><dram_uncorrectable>0</dram_uncorrectable></volatile>
            <aggregate><sram_correctable>0</sram_correctable><dram_uncorrectable>0</dram_uncorrectable>
            <sram_threshold_exceeded>No</sram_threshold_exceeded></aggregate></ecc_errors>
            <remapped_rows><remapped_row_corr>0</remapped_row_corr><remapped_row_unc>0</remapped_row_unc>
            <remapped_row_pending>No</remapped_row_pending><remapped_row_failure>No</remapped_row_failure></remapped_rows>
            <gpu_power_readings><instant_power_draw>76.05 W</instant_power_draw>
            <current_power_limit>700.00 W</current_power_limit></gpu_power_readings>
            <clocks><sm_clock>375 MHz</sm_clock><mem_clock>3201 MHz</mem_clock></clocks>
            <max_clocks><sm_clock>1980 MHz</sm_clock><mem_clock>3201 MHz</mem_clock></max_clocks>
            <compute_mode>Default</compute_mode><utilization><gpu_util>0 %%</gpu_util></utilization>
            <temperature><gpu_temp>31 C</gpu_temp></temperature>
            <fabric><state>Completed</state><status>Success</status></fabric></gpu>
            """;
    private static final String COMMANDS = """
            [{"argv":["nvidia-smi","-q","-x"],"exit":0,"stdout":"q.xml","millis":1},
            {"argv":["nvidia-smi","nvlink","-s"],"exit":0,"stdout":"links.txt","millis":1},
            {"argv":["nvidia-smi","topo","-m"],"exit":0,"stdout":"topo.txt","millis":1}]
            """;

    static RehearsalHost create() throws IOException {
        RehearsalHost host = new RehearsalHost(Files.createTempDirectory("muster"));
        host.write(
                "bundle.json",
                "{\"schema\":1,\"os\":\"linux\",\"arch\":\"amd64\",\"created\":\"2026-01-31T12:00:00Z\"}");
        host.write("commands.json", COMMANDS);
        host.write(
                "q.xml",
                "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"
                        + "<nvidia_smi_log><driver_version>580.0</driver_version><attached_gpus>2</attached_gpus>"
                        + GPU.formatted(1, 1) + GPU.formatted(2, 2) + "</nvidia_smi_log>");
        host.write("links.txt", "GPU 0: GPU\n Link 0: 26.562 GB/s\nGPU 1: GPU\n Link 0: 26.562 GB/s\n");
        host.write("topo.txt", "\tGPU0\tGPU1\nGPU0\tX\tNV1\nGPU1\tNV1\tX\n");
        host.write("root/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n");
        host.write("root/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: CPU\n\n");
        host.write("root/sys/devices/system/node/node0/cpulist", "0-1\n");
        host.write("root/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 1048576 kB\n");
        for (int gpu = 1; gpu <= 2; gpu++) {
            host.write(
                    "root/sys/bus/pci/devices/0000:" + gpu + "0:00.0/uevent",
                    "DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2330\n");
            host.write("root/sys/bus/pci/devices/0000:" + gpu + "0:00.0/numa_node", "0\n");
            host.write(
                    "root/proc/driver/nvidia/gpus/0000:" + gpu + "0:00.0/information",
                    "Model: \t GPU\nGPU UUID: \t GPU-%d\nBus Location: \t 0000:%d0:00.0\n".formatted(gpu, gpu));
            host.write("root/dev/nvidia" + gpu, "");
        }
        return host;
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Override
    public void close() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
