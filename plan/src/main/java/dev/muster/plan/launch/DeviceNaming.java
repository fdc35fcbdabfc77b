// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.PlannedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The names of other programs for devices of a family: the variable that hides some of them from a process, and the
/// resource of Kubernetes.
final class DeviceNaming {
    private static final String TABLE = "families.csv";
    private static final String CUDA = "CUDA_VISIBLE_DEVICES";

    private DeviceNaming() {}

    /// Returns the variable that limits a process to some devices, as it stands before a command. Numbers agree with
    /// those of the driver's tools only if CUDA orders devices by the bus.
    static Optional<String> findSetting(LaunchFacts facts, String devices) {
        return find(facts, "variable")
                .map(name -> (name.equals(CUDA) && Character.isDigit(devices.charAt(0))
                                ? "CUDA_DEVICE_ORDER=PCI_BUS_ID "
                                : "")
                        + name + "=" + ShellWord.of(devices).quoted());
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
