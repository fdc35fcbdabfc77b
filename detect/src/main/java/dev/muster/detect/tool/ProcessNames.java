// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.tool;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Reading;
import dev.muster.detect.host.HostFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Names of programs that use a device, for drivers that tell their numbers alone. Confined to one thread.
///
/// Every start on a machine with a GPU comes here: loops, no streams (docs/decisions/0004).
public final class ProcessNames {
    /// The most processes that are looked up in one detection; the others stay without a name.
    private static final int MAX_NAMES = 256;
    /// The kernel keeps 15 characters.
    private static final int MAX_TEXT = 256;

    private final HostFiles files;
    /// By process; blank where it has none. One program often uses all devices of a host.
    private final Map<Long, String> names = new HashMap<>();

    /// The names on a host.
    public ProcessNames(HostFiles files) {
        this.files = files;
    }

    /// The device with a name for each of its programs that the kernel still knows.
    public AcceleratorProfile complete(AcceleratorProfile device) {
        Reading<ProcessList> programs = device.reading(DeviceFact.PROCESSES);
        if (programs instanceof Reading.Known<ProcessList> known && isNameless(known.value())) {
            return device.toBuilder()
                    .with(DeviceFact.PROCESSES, Reading.known(named(known.value()), known.provenance()))
                    .build();
        }
        return device;
    }

    private static boolean isNameless(ProcessList programs) {
        for (DeviceProcess program : programs.processes()) {
            if (program.name() == null) {
                return true;
            }
        }
        return false;
    }

    private ProcessList named(ProcessList programs) {
        List<DeviceProcess> named = new ArrayList<>();
        for (DeviceProcess program : programs.processes()) {
            String name = program.name() == null ? nameOf(program.pid()) : "";
            named.add(
                    name.isEmpty()
                            ? program
                            : new DeviceProcess(program.pid(), name, program.memory(), program.load()));
        }
        return new ProcessList(named);
    }

    private String nameOf(long pid) {
        String known = names.get(pid);
        if (known != null || names.size() >= MAX_NAMES) {
            return known == null ? "" : known;
        }
        String name =
                files.findText("/proc/" + pid + "/comm", MAX_TEXT).orElse("").strip();
        names.put(pid, name);
        return name;
    }
}
