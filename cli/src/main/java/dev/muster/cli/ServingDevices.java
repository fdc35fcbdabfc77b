package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.ServingSoftware;
import dev.muster.plan.time.DeviceFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The devices of a registry that serve models, by their kind.
final class ServingDevices {
    private ServingDevices() {}

    /// Devices of one kind and the engine that serves on them, the largest pool first. The processor is
    /// no device of a serving engine.
    ///
    /// @param pool the devices
    /// @param software the engine
    record Served(DevicePool pool, ServingSoftware software) {}

    /// The devices of a registry with the engine that was asked for, or the usual one of each kind.
    ///
    /// @param measured what was measured on them
    /// @param hosts machines like the one of the registry
    /// @throws CommandException if there is no device whose figures are known
    static List<Served> listAll(
            AcceleratorRegistry registry,
            DeviceCatalogue catalogue,
            Optional<ServingSoftware> asked,
            Optional<CalibrationDocument> measured,
            int hosts,
            Session session) {
        List<DevicePool> pools = pools(registry, catalogue, measured, session);
        if (pools.isEmpty()) {
            throw noDevices();
        }
        List<Served> served = new ArrayList<>();
        for (DevicePool pool : pools) {
            Optional<ServingSoftware> software =
                    asked.or(() -> ServingSoftware.usual(pool.device().family()));
            if (software.isEmpty()) {
                session.note("muster: no engine was measured on " + pool.name()
                        + "; it is left out (choose one with --engine, and take its figures as a guess)");
            }
            software.ifPresent(engine -> served.add(
                    new Served(HostNetwork.links(registry, pool, hosts, session).pool(pool), engine)));
        }
        return served;
    }

    /// The complaint that there is nothing to plan on.
    static CommandException noDevices() {
        return new CommandException(
                "there is no accelerator whose figures are known; made-up machines can be planned for"
                        + " too, such as h100-sxm:8 (plan, fit and train take them with --synthetic)");
    }

    /// The devices of a registry by their kind, the largest pool first.
    static List<DevicePool> pools(
            AcceleratorRegistry registry,
            DeviceCatalogue catalogue,
            Optional<CalibrationDocument> measured,
            Session session) {
        Map<DeviceEntry, List<AcceleratorProfile>> byKind = new LinkedHashMap<>();
        for (AcceleratorProfile profile : registry.available()) {
            if (profile.accelerator().kind().family() == AcceleratorFamily.CPU
                    || profile.partition().isPresent()) {
                continue;
            }
            Optional<DeviceEntry> entry = catalogue.match(profile);
            if (entry.isEmpty()) {
                session.note("muster: nobody knows the figures of "
                        + Printable.of(profile.accelerator().display())
                        + "; it is left out (add it with --devices FILE)");
                continue;
            }
            byKind.computeIfAbsent(entry.get(), _ -> new ArrayList<>()).add(profile);
        }
        List<DevicePool> pools = new ArrayList<>();
        byKind.forEach((entry, profiles) -> pools.add(pool(entry, profiles, measured)));
        pools.sort((a, b) -> Double.compare(
                b.count() * b.device().memory(), a.count() * a.device().memory()));
        return pools;
    }

    private static DevicePool pool(
            DeviceEntry entry, List<AcceleratorProfile> profiles, Optional<CalibrationDocument> measured) {
        DeviceFigures sheet = DeviceFigures.of(entry);
        double least = profiles.stream()
                .flatMap(profile -> profile.memory().find().stream())
                .mapToDouble(Bytes::toDouble)
                .min()
                .orElse(sheet.memory());
        DeviceFigures figures = sheet.withMemory(Math.min(sheet.memory(), least));
        Optional<DeviceFigures> better = measured.flatMap(document -> MeasuredHere.apply(figures, profiles, document));
        return new DevicePool(better.orElse(figures), entry.name(), profiles.size(), better.isPresent());
    }
}
