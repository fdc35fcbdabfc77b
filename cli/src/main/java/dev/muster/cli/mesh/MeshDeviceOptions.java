// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceId;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshDevices;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The devices that a mesh is laid on: accelerators of the machine that is asked, as often as `--hosts`
/// says.
final class MeshDeviceOptions {
    /// More devices than any installation has in one place.
    private static final int MOST_DEVICES = 1 << 20;

    private MeshDeviceOptions() {}

    /// Returns the devices in the order of detection; none without an accelerator.
    ///
    /// @throws UsageException if the options make no sense
    /// @throws CommandException if devices are named that are not there
    static List<MeshDevice> load(Arguments arguments, Session session) {
        AcceleratorRegistry registry = session.loadRegistry(arguments);
        List<AcceleratorProfile> chosen = choose(arguments, registry, session);
        Set<DeviceId> ids = chosen.stream().map(AcceleratorProfile::id).collect(Collectors.toSet());
        List<AcceleratorProfile> available = registry.available();
        List<MeshDevice> all = MeshDevices.of(registry).all();
        List<MeshDevice> devices = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (ids.contains(available.get(i).id())) {
                devices.add(all.get(i));
            }
        }
        return repeat(devices, Numbers.whole(arguments, PlannerOptions.HOSTS, 1, 1));
    }

    /// Returns the accelerators of one kind, of which there are most: unlike devices make no mesh. What is not well,
    /// in use or divided is left out, unless it is named.
    private static List<AcceleratorProfile> choose(Arguments arguments, AcceleratorRegistry registry, Session session) {
        DeviceChoice choice = PlannerOptions.choice(arguments, registry);
        if (arguments.has(PlannerOptions.DEVICES)) {
            return choice.accelerators();
        }
        choice.warnings()
                .forEach(one -> session.note("muster: " + Printable.of(one.sentence())
                        + "; left out (choose it with --devices to use it anyway)"));
        Map<AcceleratorKind, List<AcceleratorProfile>> kinds = new LinkedHashMap<>();
        for (AcceleratorProfile profile : choice.accelerators()) {
            kinds.computeIfAbsent(profile.accelerator().kind(), _ -> new ArrayList<>())
                    .add(profile);
        }
        List<AcceleratorProfile> most = List.of();
        for (List<AcceleratorProfile> alike : kinds.values()) {
            most = alike.size() > most.size() ? alike : most;
        }
        for (List<AcceleratorProfile> others : kinds.values()) {
            if (!others.equals(most)) {
                session.note("muster: " + Count.of(others.size(), "device") + " of another kind left out: "
                        + others.getFirst().accelerator().kind().display() + "; choose devices with --devices");
            }
        }
        return most;
    }

    private static List<MeshDevice> repeat(List<MeshDevice> devices, int hosts) {
        if ((long) hosts * devices.size() > MOST_DEVICES) {
            throw new UsageException("--hosts " + hosts + " with " + devices.size()
                    + " devices each exceeds the limit of " + MOST_DEVICES + " devices");
        }
        if (hosts == 1) {
            return devices;
        }
        List<MeshDevice> all = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            for (MeshDevice device : devices) {
                String name = device.host().isBlank() ? "host" + host : device.host() + "." + host;
                Optional<String> domain = device.fabricDomain().find();
                // A fabric joins the devices of one machine, so each machine has its own.
                all.add(domain.isPresent() ? device.on(name, name + "/" + domain.get()) : device.on(name));
            }
        }
        return all;
    }
}
