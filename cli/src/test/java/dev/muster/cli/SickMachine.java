// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A made-up machine of four H100 joined by NVSwitch, with faults, as a recorded host.
final class SickMachine {
    private static final int GPUS = 4;
    private static final int LINKS = 18;

    private final Path folder;
    private final List<String> blocks = new ArrayList<>();
    private final List<List<Integer>> downLinks = new ArrayList<>();
    private final JsonObject.ObjectBuilder variables = JsonObject.builder();
    private String failure = "";
    private String driver = "nvidia";
    private boolean hasTool = true;
    private int listed = GPUS;

    SickMachine(Path folder) {
        this.folder = folder;
        for (int gpu = 0; gpu < GPUS; gpu++) {
            blocks.add(block(gpu));
            downLinks.add(new ArrayList<>());
        }
    }

    /// Applies edits such as `xml 1 compute_mode Prohibited; nodes`.
    SickMachine edit(String edits) throws IOException {
        for (String edit : edits.split(";")) {
            String[] words = edit.strip().split(" ", 4);
            switch (words[0]) {
                case "" -> {}
                case "xml" -> setValue(words[1], words[2], words[3]);
                case "link" -> {
                    for (String link : edit.strip().split(" ", 3)[2].split(" ")) {
                        downLinks.get(Integer.parseInt(words[1])).add(Integer.parseInt(link));
                    }
                }
                case "env" -> {
                    String[] variable = edit.strip().substring("env ".length()).split("=", 2);
                    variables.put(variable[0], variable[1]);
                }
                case "nodes" -> addNodes();
                case "fail" -> failure = edit.strip().substring("fail ".length());
                case "container" -> {
                    write("root/.dockerenv", "");
                    hasTool = false;
                }
                case "driver" -> {
                    driver = words.length > 1 ? words[1] : "";
                    hasTool = false;
                }
                case "unlisted" -> listed = Integer.parseInt(words[1]);
                default -> throw new IllegalArgumentException(edit);
            }
        }
        return this;
    }

    private void setValue(String gpu, String path, String value) {
        for (int i = 0; i < GPUS; i++) {
            if (gpu.equals("*") || gpu.equals(Integer.toString(i))) {
                String block = blocks.get(i);
                int from = 0;
                String[] tags = path.split("/");
                for (String tag : tags) {
                    from = block.indexOf("<" + tag + ">", from);
                }
                int start = from + tags[tags.length - 1].length() + 2;
                blocks.set(i, block.substring(0, start) + value + block.substring(block.indexOf('<', start)));
            }
        }
    }

    private void addNodes() throws IOException {
        write("root/dev/nvidiactl", "");
        for (int gpu = 0; gpu < GPUS; gpu++) {
            write("root/dev/nvidia" + gpu, "");
        }
    }

    /// Writes the bundle.
    void save() throws IOException {
        write("bundle.json", "{\"schema\":1,\"os\":\"linux\",\"arch\":\"amd64\",\"created\":\"2026-01-31T12:00:00Z\"}");
        write("env.json", variables.build().toText());
        write("root/proc/meminfo", "MemTotal: 1056763404 kB\nMemAvailable: 1040000000 kB\n");
        for (int gpu = 0; gpu < GPUS; gpu++) {
            String line = driver.isEmpty() ? "" : "DRIVER=" + driver + "\n";
            write("root/sys/bus/pci/devices/" + address(gpu) + "/uevent", line + "PCI_CLASS=30200\nPCI_ID=10DE:2330\n");
        }
        if (!hasTool) {
            return;
        }
        List<JsonValue> commands = new ArrayList<>();
        if (failure.isEmpty()) {
            commands.add(command("q.xml", log(), 0, "-q", "-x"));
            commands.add(command("links.txt", links(), 0, "nvlink", "-s"));
            commands.add(command("topo.txt", matrix(), 0, "topo", "-m"));
        } else {
            commands.add(command("failure.txt", failure + "\n", 9, "*"));
        }
        write("commands.json", new JsonValue.JsonArray(commands).toText());
    }

    private JsonValue command(String file, String output, int exit, String... arguments) throws IOException {
        write(file, output);
        List<JsonValue> argv = new ArrayList<>();
        argv.add(new JsonString("nvidia-smi"));
        for (String argument : arguments) {
            argv.add(new JsonString(argument));
        }
        return JsonObject.builder()
                .put("argv", new JsonValue.JsonArray(argv))
                .put("exit", exit)
                .put("stdout", file)
                .put("millis", 20)
                .build();
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String address(int gpu) {
        return "0000:" + (gpu + 1) + "b:00.0";
    }

    private String log() {
        return "<?xml version=\"1.0\" ?>\n<nvidia_smi_log><driver_version>580.95.05</driver_version>"
                + "<cuda_version>13.0</cuda_version><attached_gpus>" + listed + "</attached_gpus>\n"
                + String.join("", blocks.subList(0, listed)) + "</nvidia_smi_log>\n";
    }

    private static String block(int gpu) {
        return """
                <gpu id="0000%s">
                <product_name>NVIDIA H100 80GB HBM3</product_name>
                <product_architecture>Hopper</product_architecture>
                <mig_mode><current_mig>Disabled</current_mig></mig_mode>
                <uuid>GPU-00000000-0000-0000-0000-00000000000%d</uuid>
                <gpu_recovery_action>None</gpu_recovery_action>
                <pci><pci_bus_id>0000%s</pci_bus_id><pci_device_id>233010DE</pci_device_id></pci>
                <clocks_event_reasons>
                <clocks_event_reason_hw_thermal_slowdown>Not Active</clocks_event_reason_hw_thermal_slowdown>
                <clocks_event_reason_hw_power_brake_slowdown>Not Active</clocks_event_reason_hw_power_brake_slowdown>
                </clocks_event_reasons>
                <fb_memory_usage><total>81559 MiB</total><used>0 MiB</used></fb_memory_usage>
                <compute_mode>Default</compute_mode>
                <utilization><gpu_util>0 %%</gpu_util></utilization>
                <ecc_errors>
                <volatile>
                <sram_uncorrectable_parity>0</sram_uncorrectable_parity>
                <dram_uncorrectable>0</dram_uncorrectable>
                </volatile>
                <aggregate>
                <sram_uncorrectable_parity>0</sram_uncorrectable_parity>
                <sram_threshold_exceeded>No</sram_threshold_exceeded>
                </aggregate>
                <unrepairable_memory>No</unrepairable_memory>
                </ecc_errors>
                <remapped_rows>
                <remapped_row_corr>0</remapped_row_corr><remapped_row_unc>0</remapped_row_unc>
                <remapped_row_pending>No</remapped_row_pending><remapped_row_failure>No</remapped_row_failure>
                </remapped_rows>
                <temperature><gpu_temp>31 C</gpu_temp></temperature>
                <fabric><state>Completed</state><status>Success</status>
                <health><summary>Healthy</summary></health></fabric>
                </gpu>
                """.formatted(address(gpu), gpu, address(gpu));
    }

    private String links() {
        StringBuilder text = new StringBuilder();
        for (int gpu = 0; gpu < listed; gpu++) {
            text.append("GPU ")
                    .append(gpu)
                    .append(": NVIDIA H100 80GB HBM3 (UUID: GPU-")
                    .append(gpu)
                    .append(")\n");
            for (int link = 0; link < LINKS; link++) {
                boolean down = downLinks.get(gpu).contains(link);
                text.append("\t Link ").append(link).append(down ? ": <inactive>\n" : ": 26.562 GB/s\n");
            }
        }
        return text.toString();
    }

    private String matrix() {
        StringBuilder text = new StringBuilder();
        for (int gpu = 0; gpu < listed; gpu++) {
            text.append("\tGPU").append(gpu);
        }
        for (int gpu = 0; gpu < listed; gpu++) {
            text.append("\nGPU").append(gpu);
            for (int other = 0; other < listed; other++) {
                int lanes = LINKS
                        - Math.max(
                                downLinks.get(gpu).size(), downLinks.get(other).size());
                text.append('\t').append(gpu == other ? "X" : "NV" + lanes);
            }
        }
        return text.append('\n').toString();
    }
}
