// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.price;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The devices behind SkyPilot's names of accelerators. One name may mean several forms, which cloud, instance type and
/// stated memory tell apart; of those that remain, the first of the table. Immutable.
record SkyPilotDevices(Map<String, List<Entry>> entries) {
    private static final String TABLE = "skypilot-devices.csv";
    private static final Pattern SIZE = Pattern.compile("SizeInMiB['\"]+: *([0-9]{1,9})");
    /// Clouds that state the memory of all devices of a machine as that of one.
    private static final Set<String> TOTALS = Set.of("vast", "primeintellect");

    private static final int MEBI = 1024;
    /// Some clouds state gibibytes in place of mebibytes; no device has as few as 1024 of the latter.
    private static final int FEWEST = 1024;

    private static final double DIFFERENCE = 0.12;

    /// A row of the table.
    private record Entry(
            List<String> clouds,
            String instance,
            DeviceEntry device,
            int each,
            String interconnect,
            Map<Integer, String> hosts) {
        boolean matches(String cloud, String name, double gigabytes) {
            double known = device.memory().gigabytes();
            return (clouds.isEmpty() || clouds.contains(cloud))
                    && name.toLowerCase(Locale.ROOT).contains(instance.toLowerCase(Locale.ROOT))
                    && (gigabytes == 0 || Math.abs(gigabytes - known) <= DIFFERENCE * known);
        }
    }

    /// Devices of a machine.
    ///
    /// @param device the device
    /// @param count number of devices
    /// @param interconnect their fabric
    /// @param host the machine that has so many of them, where devices have a price of their own; blank if unknown
    record Found(DeviceEntry device, int count, String interconnect, String host) {}

    static SkyPilotDevices of(DeviceCatalogue catalogue) {
        Map<String, List<Entry>> entries = new HashMap<>();
        for (CsvRow row :
                CsvTable.parse(CsvTable.resource(SkyPilotDevices.class, TABLE)).rows()) {
            Map<Integer, String> hosts = new HashMap<>();
            row.list("hosts").forEach(host -> {
                int colon = host.indexOf(':');
                hosts.put(Integer.parseInt(host.substring(0, colon)), host.substring(colon + 1));
            });
            entries.computeIfAbsent(row.require("accelerator"), _ -> new ArrayList<>())
                    .add(new Entry(
                            row.list("clouds"),
                            row.orEmpty("instance"),
                            catalogue.find(row.require("device")).orElseThrow(),
                            (int) row.requireCount("each", 1, Integer.MAX_VALUE),
                            row.require("interconnect"),
                            hosts));
        }
        return new SkyPilotDevices(entries);
    }

    Optional<Found> find(String cloud, String accelerator, String instance, int count, String stated) {
        double gigabytes = gigabytes(stated) / (TOTALS.contains(cloud) ? count : 1);
        return entries.getOrDefault(accelerator, List.of()).stream()
                .filter(entry -> entry.matches(cloud, instance, gigabytes))
                .findFirst()
                .map(entry -> new Found(
                        entry.device, count * entry.each, entry.interconnect, entry.hosts.getOrDefault(count, "")));
    }

    boolean isTpu(String accelerator) {
        return accelerator.startsWith("tpu-");
    }

    /// Reports whether the accelerator is a slice of a TPU pod that is larger than a host.
    boolean isPod(String accelerator) {
        return isTpu(accelerator) && !entries.containsKey(accelerator);
    }

    private static double gigabytes(String stated) {
        Matcher matcher = SIZE.matcher(stated);
        if (!matcher.find()) {
            return 0;
        }
        double size = Integer.parseInt(matcher.group(1));
        return size < FEWEST ? size : size / MEBI;
    }
}
