package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.plan.model.CatalogueException;
import dev.muster.plan.table.CsvTable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What data sheets say of devices. Immutable and safe to share between threads.
///
/// @since 0.1
public final class DeviceCatalogue {
    private static final String RESOURCE = "devices.csv";

    private final Map<String, DeviceEntry> entries;

    private DeviceCatalogue(Map<String, DeviceEntry> entries) {
        this.entries = entries;
    }

    /// The devices that Muster knows.
    public static DeviceCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    /// Reads a table of devices, as docs/catalogues.md describes it.
    ///
    /// @throws CatalogueException if the text is no such table
    public static DeviceCatalogue parse(String text) {
        Map<String, DeviceEntry> entries = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        for (DeviceEntry entry : DeviceRows.read(text)) {
            if (entries.put(entry.id(), entry) != null) {
                throw CatalogueException.of("device '" + entry.id() + "' is there twice; delete one");
            }
            for (String name : entry.signature().shortNames()) {
                if (!names.add(name)) {
                    throw CatalogueException.of("short name '" + name + "' is there twice; delete one");
                }
            }
        }
        return new DeviceCatalogue(entries);
    }

    private static final class BuiltIn {
        private static final DeviceCatalogue CATALOGUE = parse(CsvTable.resource(DeviceCatalogue.class, RESOURCE));
    }

    /// This catalogue with the devices of another, which come first where both have one.
    public DeviceCatalogue with(DeviceCatalogue more) {
        Map<String, DeviceEntry> both = new LinkedHashMap<>(entries);
        both.putAll(more.entries);
        return new DeviceCatalogue(both);
    }

    /// All devices, in the order of the table.
    public List<DeviceEntry> entries() {
        return List.copyOf(entries.values());
    }

    /// The short names of all devices, in the order of the table.
    public List<String> ids() {
        return List.copyOf(entries.keySet());
    }

    /// The device of a name as people type it: its id, a short name (`h100`, `dgx-spark`), what drivers call it, or
    /// a part of its id (`3080`, `orin-nano`). Case and dashes do not matter. Nothing where several are possible.
    public Optional<DeviceEntry> find(String name) {
        DeviceEntry exact = entries.get(name.toLowerCase(Locale.ROOT));
        if (exact != null) {
            return Optional.of(exact);
        }
        List<DeviceEntry> meant = DeviceNames.listMeant(name, entries.values());
        return meant.size() == 1 ? Optional.of(meant.getFirst()) : Optional.empty();
    }

    /// The device that a profile describes: by its ids on the PCI bus, else by its name; TPU, Gaudi and
    /// Neuron by their generation. Memory and cores decide between devices that share an id or a name.
    /// Nothing for partitions, and nothing where two devices are possible.
    ///
    /// Figures are those of the profile: of all chips of a TPU, of one of the two devices as which some
    /// cards appear.
    public Optional<DeviceEntry> match(AcceleratorProfile profile) {
        return DeviceMatcher.match(profile, entries.values());
    }
}
