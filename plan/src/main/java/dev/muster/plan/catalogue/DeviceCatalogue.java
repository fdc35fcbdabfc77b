// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The devices of data sheets. Immutable and safe to share between threads.
///
/// @since 0.1
public final class DeviceCatalogue {
    private static final String RESOURCE = "devices.csv";
    private static final List<String> REQUIRED =
            List.of("device_id", "vendor", "name", "class", "memory_gb", "memory_type", "mem_bw_gbs", "source");
    private static final List<String> OPTIONAL = List.of(
            "fp32_tflops",
            "tf32_tflops",
            "fp16_tflops",
            "bf16_tflops",
            "fp8_tflops",
            "int8_tops",
            "fp4_tflops",
            "ic_kind",
            "ic_bidir_gbs",
            "ic_domain",
            "tdp_w",
            "launch_year",
            "pci_ids",
            "short_names",
            "aliases",
            "compute_units",
            "compute_capability",
            "devices_shown",
            "confidence",
            "note",
            "checked",
            "read_on");
    private static final long MAX_GIGABYTES = 1_000_000;
    private static final long MAX_GIGABYTES_PER_SECOND = 1_000_000_000;
    private static final long MAX_TERA = 1_000_000_000;
    private static final long MAX_WATTS = 1_000_000;
    private static final long MAX_CAPABILITY = 99;
    private static final long MAX_COUNT = 1_000_000;
    private static final int FIRST_YEAR = 2000;
    private static final int LAST_YEAR = 2100;
    private static final int PCI_ID_LENGTH = 9;

    private final Map<String, DeviceEntry> entries;

    private DeviceCatalogue(Map<String, DeviceEntry> entries) {
        this.entries = entries;
    }

    /// Returns the devices that come with Muster.
    public static DeviceCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    /// Parses a table of devices; docs/catalogues.md describes its form.
    ///
    /// @throws CatalogueException if the text is not such a table
    public static DeviceCatalogue parse(String text) {
        Map<String, DeviceEntry> entries = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        for (DeviceEntry entry : read(text)) {
            if (entries.put(entry.id(), entry) != null) {
                throw CatalogueException.of("device '" + entry.id() + "' occurs twice; delete one");
            }
            for (String name : entry.signature().shortNames()) {
                if (!names.add(name)) {
                    throw CatalogueException.of("short name '" + name + "' occurs twice; delete one");
                }
            }
        }
        return new DeviceCatalogue(entries);
    }

    private static final class BuiltIn {
        private static final DeviceCatalogue CATALOGUE = parse(CsvTable.resource(DeviceCatalogue.class, RESOURCE));
    }

    /// Returns a copy with the devices of another catalogue, which take precedence.
    public DeviceCatalogue with(DeviceCatalogue more) {
        Map<String, DeviceEntry> both = new LinkedHashMap<>(entries);
        both.putAll(more.entries);
        return new DeviceCatalogue(both);
    }

    /// Returns all devices, in the order of the table.
    public List<DeviceEntry> entries() {
        return List.copyOf(entries.values());
    }

    /// Returns the short names of all devices, in the order of the table.
    public List<String> ids() {
        return List.copyOf(entries.keySet());
    }

    /// Returns the device of a name as people type it: its id, a short name (`h100`, `dgx-spark`), a driver's name,
    /// or a part of its id (`3080`, `orin-nano`). Case and dashes do not matter. Empty if several are possible.
    public Optional<DeviceEntry> find(String name) {
        DeviceEntry exact = entries.get(name.toLowerCase(Locale.ROOT));
        if (exact != null) {
            return Optional.of(exact);
        }
        List<DeviceEntry> meant = DeviceNames.listMeant(name, entries.values());
        return meant.size() == 1 ? Optional.of(meant.getFirst()) : Optional.empty();
    }

    /// Returns the devices that may have an id on the PCI bus, such as `10de:2330`.
    public List<DeviceEntry> listByPciId(String pciId) {
        String id = pciId.toLowerCase(Locale.ROOT);
        return entries.values().stream()
                .filter(entry -> entry.signature().pciIds().contains(id))
                .toList();
    }

    /// Returns the device of a profile: by its ids on the PCI bus, else by its name; TPU, Gaudi and Neuron by
    /// their generation. Memory and cores decide between devices that share an id or a name. Empty for
    /// partitions, and if two devices are possible.
    ///
    /// Figures are those of the profile: of all chips of a TPU, of one of the two devices as which some cards
    /// appear.
    public Optional<DeviceEntry> match(AcceleratorProfile profile) {
        return DeviceMatcher.match(profile, entries.values());
    }

    /// Returns the nearest row for a device that has none: the slowest of those with its PCI id or name, else the one
    /// whose name is the longest part of the device's. Its figures are a guess.
    ///
    /// @since 0.2
    public Optional<DeviceEntry> findRelative(AcceleratorProfile profile) {
        return DeviceMatcher.findRelative(profile, entries.values());
    }

    /// Returns the registry with facts of this catalogue that its profiles lack: bandwidth and type of the memory,
    /// power limit, bandwidth of the fabric. Known facts stay unchanged. Peak rates are not part of a profile; ask
    /// [#match(AcceleratorProfile)] for them.
    public AcceleratorRegistry enrich(AcceleratorRegistry registry) {
        return registry.withDevices(registry.profiles().stream()
                .map(profile -> match(profile)
                        .map(entry -> DeviceKinds.enriched(profile, entry))
                        .orElse(profile))
                .toList());
    }

    private static List<DeviceEntry> read(String text) {
        List<DeviceEntry> entries = new ArrayList<>();
        for (CsvRow row : CsvTable.parse(text).checked(REQUIRED, OPTIONAL).rows()) {
            entries.add(entry(row));
        }
        return entries;
    }

    private static DeviceEntry entry(CsvRow row) {
        String id = plain(row, "device_id", row.require("device_id"));
        String vendor = row.require("vendor").toLowerCase(Locale.ROOT);
        DeviceEntry.DeviceClass deviceClass =
                row.requireNamed("class", DeviceEntry.DeviceClass.values(), DeviceEntry.DeviceClass::text);
        DeviceEntry.EntryOrigin origin = origin(row);
        Provenance source = origin.provenance(id);
        return new DeviceEntry(
                id,
                vendor,
                row.require("name"),
                deviceClass,
                memory(row, vendor, deviceClass),
                peaks(row),
                link(row, source),
                CsvRow.reading(row.findPositive("tdp_w", MAX_WATTS).map(Watts::new), source),
                CsvRow.reading(row.findCount("launch_year", FIRST_YEAR, LAST_YEAR), source),
                signature(row, source),
                origin);
    }

    /// Checks a name: lower case, digits and dashes, which can be typed before a colon or comma.
    private static String plain(CsvRow row, String column, String name) {
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            boolean allowed = (character >= 'a' && character <= 'z')
                    || (character >= '0' && character <= '9')
                    || character == '-';
            if (!allowed) {
                throw row.error(column + " '" + CsvRow.shown(name) + "' is not possible; write letters from a to z, "
                        + "digits and dashes, as in h100-sxm");
            }
        }
        return name;
    }

    private static DeviceEntry.Memory memory(CsvRow row, String vendor, DeviceEntry.DeviceClass deviceClass) {
        String type = row.require("memory_type");
        return new DeviceEntry.Memory(
                row.requirePositive("memory_gb", MAX_GIGABYTES),
                DeviceEntry.MemoryCount.of(vendor, deviceClass, type),
                type,
                new Bandwidth(row.requirePositive("mem_bw_gbs", MAX_GIGABYTES_PER_SECOND)));
    }

    private static Map<Precision, OperationRate> peaks(CsvRow row) {
        Map<Precision, OperationRate> peaks = new EnumMap<>(Precision.class);
        for (Precision precision : Precision.values()) {
            Optional<Double> rate = row.findPositive(precision.column(), MAX_TERA);
            if (rate.isPresent()) {
                peaks.put(precision, new OperationRate(rate.get()));
            }
        }
        return peaks;
    }

    private static DeviceEntry.DeviceLink link(CsvRow row, Provenance source) {
        Optional<Bandwidth> bothWays =
                row.findNumber("ic_bidir_gbs", MAX_GIGABYTES_PER_SECOND).map(Bandwidth::new);
        return new DeviceEntry.DeviceLink(
                row.find("ic_kind").orElse("none"),
                CsvRow.reading(bothWays, source),
                CsvRow.reading(row.findCount("ic_domain", 1, MAX_COUNT), source));
    }

    private static DeviceEntry.Signature signature(CsvRow row, Provenance source) {
        List<String> pciIds = new ArrayList<>();
        for (String pciId : row.list("pci_ids")) {
            if (pciId.length() != PCI_ID_LENGTH || pciId.charAt(PCI_ID_LENGTH / 2) != ':') {
                throw row.error("'" + CsvRow.shown(pciId) + "' is not a PCI id; write it as in 10de:2330");
            }
            pciIds.add(pciId.toLowerCase(Locale.ROOT));
        }
        List<String> shortNames = new ArrayList<>();
        for (String name : row.list("short_names")) {
            shortNames.add(plain(row, "short_names", name));
        }
        return new DeviceEntry.Signature(
                pciIds,
                shortNames,
                row.list("aliases"),
                CsvRow.reading(row.findCount("compute_units", 1, MAX_COUNT), source),
                CsvRow.reading(row.findPositive("compute_capability", MAX_CAPABILITY), source),
                row.findCount("devices_shown", 1, MAX_COUNT).orElse(1L).intValue());
    }

    private static DeviceEntry.EntryOrigin origin(CsvRow row) {
        DeviceEntry.EntryConfidence confidence = row.find("confidence").isEmpty()
                ? DeviceEntry.EntryConfidence.MEDIUM
                : row.requireNamed(
                        "confidence", DeviceEntry.EntryConfidence.values(), DeviceEntry.EntryConfidence::text);
        return new DeviceEntry.EntryOrigin(
                confidence, row.require("source"), row.orEmpty("note"), row.orEmpty("checked"));
    }
}
