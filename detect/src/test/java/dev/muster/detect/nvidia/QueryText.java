// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// Turns what `nvidia-smi -q` prints for people into what `-q -x` prints, so that recordings of the one test
/// the reading of the other.
final class QueryText {
    private static final Pattern OTHER = Pattern.compile("[^a-z0-9]+");
    private static final Map<String, String> TAGS = Map.ofEntries(
            Map.entry("gpu/gpu_uuid", "uuid"),
            Map.entry("mig_device/shared_fb_memory_usage", "fb_memory_usage"),
            Map.entry("mig_mode/current", "current_mig"),
            Map.entry("ecc_mode/current", "current_ecc"),
            Map.entry("utilization/gpu", "gpu_util"),
            Map.entry("temperature/gpu_current_temp", "gpu_temp"),
            Map.entry("temperature/memory_current_temp", "memory_temp"),
            Map.entry("gpu_power_readings/instantaneous_power_draw", "instant_power_draw"),
            Map.entry("clocks/graphics", "graphics_clock"),
            Map.entry("clocks/sm", "sm_clock"),
            Map.entry("clocks/memory", "mem_clock"),
            Map.entry("max_clocks/graphics", "graphics_clock"),
            Map.entry("max_clocks/sm", "sm_clock"),
            Map.entry("max_clocks/memory", "mem_clock"),
            Map.entry("pci/device_id", "pci_device_id"),
            Map.entry("pci/bus_id", "pci_bus_id"),
            Map.entry("pci/gpu_link_info", "pci_gpu_link_info"),
            Map.entry("pci_gpu_link_info/pcie_generation", "pcie_gen"),
            Map.entry("pci_gpu_link_info/link_width", "link_widths"),
            Map.entry("pcie_gen/max", "max_link_gen"),
            Map.entry("pcie_gen/current", "current_link_gen"),
            Map.entry("link_widths/max", "max_link_width"),
            Map.entry("link_widths/current", "current_link_width"),
            Map.entry("volatile/sram_uncorrectable_sec_ded", "sram_uncorrectable_secded"),
            Map.entry("fabric/cliqueid", "cliqueId"),
            Map.entry("fabric/clusteruuid", "clusterUuid"),
            Map.entry("processes/process_id", "process_info"),
            Map.entry("process_info/name", "process_name"),
            Map.entry("process_info/used_gpu_memory", "used_memory"));

    private QueryText() {}

    static NvidiaElement parse(String text) {
        Node root = new Node("nvidia_smi_log", "", "");
        List<Node> open = new ArrayList<>(List.of(root));
        List<Integer> indents = new ArrayList<>(List.of(-1));
        for (String line : text.split("\n")) {
            if (line.isBlank() || line.startsWith("=")) {
                continue;
            }
            int indent = line.length() - line.stripLeading().length();
            while (indents.getLast() >= indent) {
                indents.removeLast();
                open.removeLast();
            }
            Node node = open.getLast().add(line.strip());
            open.add(node);
            indents.add(indent);
        }
        return root.element();
    }

    static String toXml(NvidiaElement element) {
        StringBuilder xml = new StringBuilder("<" + element.name());
        xml.append(element.id().isEmpty() ? ">" : " id=\"" + element.id() + "\">");
        xml.append(element.text().replace("&", "&amp;").replace("<", "&lt;"));
        element.children().forEach(child -> xml.append(toXml(child)));
        return xml.append("</" + element.name() + ">\n").toString();
    }

    private static final class Node {
        private final String tag;
        private final String id;
        private final String text;
        private final List<Node> children = new ArrayList<>();

        Node(String tag, String id, String text) {
            this.tag = tag;
            this.id = id;
            this.text = text;
        }

        Node add(String line) {
            int colon = line.indexOf(" : ");
            String key = (colon < 0 ? line : line.substring(0, colon)).strip();
            String value = colon < 0 ? "" : line.substring(colon + 3).strip();
            if (key.startsWith("GPU 0")) {
                return child(new Node("gpu", key.substring(4), ""));
            }
            String name = OTHER.matcher(key.toLowerCase(Locale.ROOT)).replaceAll("_");
            if (name.equals("mig_device")) {
                return slices().child(new Node(name, "", ""));
            }
            String translated = TAGS.getOrDefault(tag + "/" + name, name);
            if (translated.equals("process_info")) {
                Node process = child(new Node(translated, "", ""));
                process.child(new Node("pid", "", value));
                return process;
            }
            return child(new Node(translated, "", value));
        }

        private Node slices() {
            return children.stream()
                    .filter(node -> node.tag.equals("mig_devices"))
                    .findFirst()
                    .orElseGet(() -> child(new Node("mig_devices", "", "")));
        }

        private Node child(Node node) {
            children.add(node);
            return node;
        }

        NvidiaElement element() {
            return new NvidiaElement(
                    tag, id, text, children.stream().map(Node::element).toList());
        }
    }
}
