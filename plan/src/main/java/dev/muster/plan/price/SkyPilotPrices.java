// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.price;

import dev.muster.core.text.CsvReader;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A reader of SkyPilot's public catalogue: one `vms.csv` for each cloud, with a row for each instance type and zone.
/// Keeps each instance type at its cheapest region, as a row of the price catalogue. Every row is either kept or
/// counted with the reason why it is not. Confined to one thread.
///
/// @since 0.3
public final class SkyPilotPrices {
    /// The most rows of a file.
    public static final int MAX_ROWS = 200_000;

    private static final String HEADER = "provider,instance,region,accelerator,count,memory_gb_each,vcpus,ram_gb,"
            + "interconnect,price_usd_hour_on_demand,price_usd_hour_spot,source,date,note\n";
    private static final List<String> REQUIRED =
            List.of("InstanceType", "AcceleratorName", "AcceleratorCount", "Region", "Price");
    private static final double MOST_USD = 1e6;
    private static final double MOST_COUNT = 100_000;
    private static final int MAX_NAME = 200;

    private final DeviceCatalogue catalogue;
    private final SkyPilotDevices devices;
    private final Map<String, Quote> cheapest = new TreeMap<>();
    private final Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
    private final Map<String, Integer> unknown = new TreeMap<>();

    private SkyPilotPrices(DeviceCatalogue catalogue) {
        this.catalogue = catalogue;
        this.devices = SkyPilotDevices.of(catalogue);
    }

    /// Returns a reader that knows the devices of a catalogue.
    public static SkyPilotPrices of(DeviceCatalogue catalogue) {
        return new SkyPilotPrices(catalogue);
    }

    /// The result of reading a row.
    public enum Fate {
        /// It is the cheapest region of its instance type.
        KEPT,
        /// The same instance type costs less, or as much, in another region or zone.
        DEARER,
        /// It has no accelerator.
        NO_ACCELERATOR,
        /// It has no on-demand price, or one of 0.
        NO_PRICE,
        /// It is a share of a device.
        SHARE,
        /// It is a device to attach to a machine of any type, which has a price of its own.
        DEVICE_ALONE,
        /// It is a slice of a TPU pod over several hosts.
        SEVERAL_HOSTS,
        /// Its price is the lowest bid of an auction.
        BID,
        /// Its device is not in the device catalogue.
        UNKNOWN_DEVICE
    }

    /// A row of a file.
    private record Row(Map<String, Integer> columns, int line, List<String> fields) {
        String text(String column) {
            Integer at = columns.get(column);
            return at == null ? "" : fields.get(at).strip();
        }

        /// Returns a number; 0 for a blank field.
        double number(String column, double most) {
            String text = text(column);
            if (text.isEmpty()) {
                return 0;
            }
            try {
                double number = new BigDecimal(text).doubleValue();
                if (number >= 0 && number <= most) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // the message below names the line
            }
            throw CatalogueException.at(
                    line,
                    "column '" + column + "' must be a number from 0 to " + (long) most + ", not '" + CsvRow.shown(text)
                            + "'");
        }

        String name(String column) {
            String name = text(column);
            if (name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
                throw CatalogueException.at(
                        line, "column '" + column + "' is not a name: '" + CsvRow.shown(name) + "'");
            }
            return name;
        }
    }

    /// An instance type at a price.
    private record Quote(
            CloudProvider provider,
            String instance,
            String region,
            SkyPilotDevices.Found found,
            double processors,
            double memory,
            double price,
            double spot,
            String cloud,
            LocalDate date) {}

    /// The price of the machine that devices are attached to.
    private record Host(double processors, double memory, double price, double spot) {}

    /// Returns the provider of a folder of the catalogue; empty for a folder without prices of machines, such as
    /// `common`.
    public static Optional<CloudProvider> provider(String folder) {
        return CloudProvider.find(folder)
                .filter(provider -> provider != CloudProvider.OTHER && provider != CloudProvider.OWN);
    }

    /// Reads the file of a cloud.
    ///
    /// @param cloud the name of its folder
    /// @param date the day of its prices
    /// @throws CatalogueException if the text is not such a file
    public void read(String cloud, String text, LocalDate date) {
        CloudProvider provider = provider(cloud)
                .orElseThrow(() -> CatalogueException.of("no provider is called '" + CsvRow.shown(cloud) + "'"));
        List<Row> rows = rows(text);
        Map<String, Host> hosts = new HashMap<>();
        for (Row row : rows) {
            if (row.text("AcceleratorName").isEmpty()) {
                hosts.put(
                        row.text("InstanceType") + '/' + row.text("AvailabilityZone"),
                        new Host(
                                row.number("vCPUs", MOST_COUNT),
                                row.number("MemoryGiB", MOST_USD),
                                row.number("Price", MOST_USD),
                                row.number("SpotPrice", MOST_USD)));
            }
        }
        for (Row row : rows) {
            fates.merge(read(provider, cloud, row, hosts, date), 1, Integer::sum);
        }
    }

    private static List<Row> rows(String text) {
        CsvReader reader = CsvReader.strict(
                text, (line, what) -> line == 0 ? CatalogueException.of(what) : CatalogueException.at(line, what));
        if (!reader.next()) {
            throw CatalogueException.of("the file is empty; its first line has to name the columns");
        }
        Map<String, Integer> columns = new HashMap<>();
        for (String name : reader.fields()) {
            columns.put(name.strip(), columns.size());
        }
        for (String name : REQUIRED) {
            if (!columns.containsKey(name)) {
                throw CatalogueException.at(1, "column '" + name + "' is missing; the file is not a vms.csv");
            }
        }
        List<Row> rows = new java.util.ArrayList<>();
        while (reader.next()) {
            if (reader.fields().size() != columns.size()) {
                throw CatalogueException.at(
                        reader.line(),
                        "there are " + reader.fields().size() + " fields, but " + columns.size() + " columns");
            }
            if (rows.size() == MAX_ROWS) {
                throw CatalogueException.at(reader.line(), "a file has at most " + MAX_ROWS + " rows");
            }
            rows.add(new Row(columns, reader.line(), List.copyOf(reader.fields())));
        }
        return rows;
    }

    private Fate read(CloudProvider provider, String cloud, Row row, Map<String, Host> hosts, LocalDate date) {
        String accelerator = row.name("AcceleratorName");
        String instance = row.name("InstanceType");
        String region = row.name("Region");
        double count = row.number("AcceleratorCount", MOST_COUNT);
        double price = row.number("Price", MOST_USD);
        double spot = row.number("SpotPrice", MOST_USD);
        if (accelerator.isEmpty() || count == 0) {
            return Fate.NO_ACCELERATOR;
        }
        if (provider == CloudProvider.MITHRIL) {
            return Fate.BID;
        }
        if (count != Math.rint(count)) {
            return Fate.SHARE;
        }
        Optional<SkyPilotDevices.Found> known =
                devices.find(cloud, accelerator, instance, (int) count, row.text("GpuInfo"));
        if (known.isEmpty()) {
            return devices.isPod(accelerator) ? Fate.SEVERAL_HOSTS : unknown(accelerator);
        }
        SkyPilotDevices.Found found = known.get();
        if (price == 0) {
            return Fate.NO_PRICE;
        }
        double processors = row.number("vCPUs", MOST_COUNT);
        double memory = row.number("MemoryGiB", MOST_USD);
        if (instance.isEmpty() && !devices.isTpu(accelerator)) {
            instance = found.host();
            Host host = hosts.get(instance + '/' + row.text("AvailabilityZone"));
            if (host == null || host.price == 0) {
                return Fate.DEVICE_ALONE;
            }
            processors = host.processors;
            memory = host.memory;
            price += host.price;
            spot = spot == 0 || host.spot == 0 ? 0 : spot + host.spot;
        }
        return keep(new Quote(
                provider,
                instance.isEmpty() ? accelerator : instance,
                region.isEmpty() ? "any" : region,
                found,
                processors,
                memory,
                price,
                spot < price ? spot : 0,
                cloud,
                date));
    }

    private Fate unknown(String accelerator) {
        unknown.merge(accelerator, 1, Integer::sum);
        return Fate.UNKNOWN_DEVICE;
    }

    private Fate keep(Quote quote) {
        String key = quote.provider.text() + '/' + quote.instance;
        Quote before = cheapest.get(key);
        if (before == null || quote.price < before.price) {
            cheapest.put(key, quote);
            if (before == null) {
                return Fate.KEPT;
            }
        }
        return Fate.DEARER;
    }

    /// Returns the number of rows of each fate.
    public Map<Fate, Integer> fates() {
        return Map.copyOf(fates);
    }

    /// Returns the names of devices that are not in the device catalogue, with the number of their rows.
    public Map<String, Integer> unknownDevices() {
        return Map.copyOf(unknown);
    }

    /// Returns the table of the machines that were kept, in the form of the price catalogue.
    public String table() {
        StringBuilder table = new StringBuilder(HEADER);
        cheapest.values().forEach(quote -> add(quote, table));
        return table.toString();
    }

    /// Returns the machines that were kept.
    public PriceCatalogue prices() {
        return PriceCatalogue.parse(table(), catalogue);
    }

    private static void add(Quote quote, StringBuilder table) {
        SkyPilotDevices.Found found = quote.found;
        table.append(quote.provider.text())
                .append(',')
                .append(quoted(quote.instance))
                .append(',')
                .append(quoted(quote.region))
                .append(',')
                .append(found.device().id())
                .append(',')
                .append(found.count())
                .append(',')
                .append(text(found.device().memory().gigabytes()))
                .append(',')
                .append(quote.processors < 1 ? "" : text(Math.floor(quote.processors)))
                .append(',')
                .append(quote.memory == 0 ? "" : text(quote.memory))
                .append(',')
                .append(found.count() == 1 ? "none" : found.interconnect())
                .append(',')
                .append(text(quote.price))
                .append(',')
                .append(quote.spot == 0 ? "" : text(quote.spot))
                .append(",SkyPilot catalogue ")
                .append(quote.cloud)
                .append("/vms.csv,")
                .append(quote.date)
                .append(",\n");
    }

    private static String quoted(String text) {
        return text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String text(double number) {
        return BigDecimal.valueOf(number)
                .setScale(5, java.math.RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
