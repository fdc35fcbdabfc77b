// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.PlannedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The names of other programs for devices of a family: the variable that hides some of them from a process, and the
/// resource of Kubernetes.
final class DeviceNaming {
    private static final String TABLE = "families.csv";
    private static final String CORES = "neuron-cores.csv";
    /// Tokens of a block of the KV cache on Neuron devices.
    private static final long BLOCK = 32;
    private static final String CUDA = "CUDA_VISIBLE_DEVICES";

    private DeviceNaming() {}

    /// Returns the variable that limits a process to some devices, as it stands before a command. Numbers agree with
    /// those of the driver's tools only if CUDA orders devices by the bus.
    static Optional<String> findSetting(LaunchFacts facts, String devices) {
        String named = findCores(facts)
                .filter(_ -> devices.matches("[0-9,]+"))
                .map(each -> cores(devices, each))
                .orElse(devices);
        return find(facts, "variable")
                .map(name -> (name.equals(CUDA) && Character.isDigit(devices.charAt(0))
                                ? "CUDA_DEVICE_ORDER=PCI_BUS_ID "
                                : "")
                        + name + "=" + ShellWord.of(named).quoted());
    }

    /// Reports whether a pod takes all devices of its node, as those of TPUs do: the replicas of one host are one pod.
    static boolean takesWholeNodes(LaunchFacts facts, LaunchShape shape) {
        return shape.hosts() == 1
                && facts.find(LaunchFact.FAMILY).equals(Optional.of(DeviceFamily.TPU.label()))
                && facts.number(LaunchFact.EXPERTS, 0) == 0;
    }

    /// Adds what vLLM counts in cores of Neuron devices: the degree of tensor parallelism, and the blocks of the KV
    /// cache for some tokens.
    static LaunchFacts withCores(LaunchFacts facts, long cachedTokens) {
        return findCores(facts)
                .map(cores -> facts.with(LaunchFact.CORE_TENSOR, (long) cores * facts.number(LaunchFact.TENSOR))
                        .with(LaunchFact.CACHE_BLOCKS, Math.ceilDiv(cachedTokens, BLOCK)))
                .orElse(facts);
    }

    /// Returns the logical cores of a Neuron device.
    private static Optional<Integer> findCores(LaunchFacts facts) {
        String device = facts.find(LaunchFact.DEVICE_ID).orElse("");
        return CsvTable.parse(LaunchTemplate.resource(CORES)).rows().stream()
                .filter(row -> row.require("device").equals(device))
                .map(row -> Integer.parseInt(row.require("cores")))
                .findFirst();
    }

    /// Returns the cores of some devices, whose numbers have commas between, as ranges.
    private static String cores(String devices, int each) {
        List<String> ranges = new ArrayList<>();
        int first = -1;
        int end = -1;
        for (String device : devices.split(",", -1)) {
            int start = Integer.parseInt(device) * each;
            if (start != end) {
                first = start;
                ranges.add("");
            }
            end = start + each;
            ranges.set(ranges.size() - 1, first + "-" + (end - 1));
        }
        return String.join(",", ranges);
    }

    static Optional<String> findResource(LaunchFacts facts) {
        return find(facts, "resource");
    }

    /// Names the devices of a host, unless they are all of them, in order. By default CUDA orders unlike devices by
    /// their speed.
    static LaunchFacts withVisible(LaunchFacts facts, List<PlannedDevice> devices, int hosts) {
        boolean isAll =
                !devices.isEmpty() && devices.size() == devices.getFirst().present();
        for (int position = 0; position < devices.size(); position++) {
            isAll &= devices.get(position).ordinal() == position
                    && !devices.get(position).isSlice()
                    && devices.get(position).name().equals(devices.getFirst().name());
        }
        if (devices.isEmpty() || isAll || hosts > 1) {
            return facts;
        }
        List<String> names = new ArrayList<>();
        boolean byUuid = devices.stream().allMatch(PlannedDevice::hasUuidName);
        for (PlannedDevice device : devices) {
            names.add(byUuid ? device.uuid().find().orElseThrow() : String.valueOf(device.ordinal()));
        }
        return facts.with(LaunchFact.DEVICE_NAMES, names);
    }

    private static Optional<String> find(LaunchFacts facts, String column) {
        String family = facts.find(LaunchFact.FAMILY).orElse("");
        for (CsvRow row : CsvTable.parse(LaunchTemplate.resource(TABLE)).rows()) {
            if (row.require("family").equals(family)) {
                return row.find(column);
            }
        }
        return Optional.empty();
    }
}
