// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.detect.activity.HostActivity;
import dev.muster.detect.activity.HostActivity.HostLoad;
import dev.muster.detect.activity.HostActivity.RunningProcess;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.DeviceTrouble;
import dev.muster.monitor.SampleHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The data of one screen, independent of the user's choices.
///
/// @param registry the newest sample
/// @param history those before
/// @param processes a row for each process on each device
/// @param alerts alerts that fire, the worst first
/// @param gaps gaps of the detection
/// @param host load of the host; null if unknown
/// @param topology links between devices
public record TopData(
        AcceleratorRegistry registry,
        SampleHistory history,
        List<ProcessRow> processes,
        List<AlertRule.Alert> alerts,
        List<String> gaps,
        @Nullable HostLoad host,
        TopologyRows topology) {
    /// More are not looked up in one sample: each takes three reads.
    private static final int MOST_PROCESSES = 1_024;

    /// Puts a sample together.
    ///
    /// @param activity tells of the host's processes; null if the sample is not of this host
    public static TopData of(
            AcceleratorRegistry registry,
            SampleHistory history,
            List<AlertRule> rules,
            @Nullable HostActivity activity) {
        List<AlertRule.Alert> alerts = new ArrayList<>(AlertRule.examine(rules, registry));
        alerts.addAll(DeviceTrouble.examine(registry));
        return new TopData(
                registry,
                history,
                processes(registry, activity),
                List.copyOf(alerts),
                registry.gaps().stream().map(Gap::display).toList(),
                activity == null ? null : activity.findLoad().orElse(null),
                TopologyRows.of(registry));
    }

    /// Makes samples of registries.
    public interface Maker {
        /// Puts a sample together.
        TopData make(AcceleratorRegistry registry, SampleHistory history);
    }

    /// Returns a copy with a history that stays as it is.
    TopData frozen() {
        return new TopData(registry, history.copy(), processes, alerts, gaps, host, topology);
    }

    private static List<ProcessRow> processes(AcceleratorRegistry registry, @Nullable HostActivity activity) {
        List<ProcessRow> rows = new ArrayList<>();
        Map<Long, Optional<RunningProcess>> known = new HashMap<>();
        for (int place = 0; place < registry.profiles().size(); place++) {
            AcceleratorProfile device = registry.profiles().get(place);
            ProcessList list = device.reading(DeviceFact.PROCESSES).find().orElse(null);
            for (DeviceProcess process : list == null ? List.<DeviceProcess>of() : list.processes()) {
                if (!known.containsKey(process.pid()) && known.size() < MOST_PROCESSES) {
                    known.put(process.pid(), activity == null ? Optional.empty() : activity.findProcess(process.pid()));
                }
                rows.add(row(
                        device,
                        place,
                        process,
                        known.getOrDefault(process.pid(), Optional.empty()).orElse(null)));
            }
        }
        return List.copyOf(rows);
    }

    private static ProcessRow row(
            AcceleratorProfile device, int place, DeviceProcess process, @Nullable RunningProcess running) {
        String name = process.findName().orElse("");
        return running == null
                ? new ProcessRow(
                        device.id(),
                        place,
                        process.pid(),
                        0,
                        null,
                        name,
                        process.memory(),
                        process.load(),
                        null,
                        null,
                        0)
                : new ProcessRow(
                        device.id(),
                        place,
                        process.pid(),
                        running.parent(),
                        running.user(),
                        running.command(),
                        process.memory(),
                        process.load(),
                        running.memory(),
                        running.age(),
                        0);
    }
}
