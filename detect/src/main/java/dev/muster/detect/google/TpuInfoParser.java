// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.PipeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// Reads what `tpu-info` and `tpu-info --version` print. Pure; text that is neither gives an empty listing.
final class TpuInfoParser {
    private static final int MAX_CHIPS = 1024;
    /// Some generations show each core of a chip as a device of its own.
    private static final int MAX_DEVICES_PER_CHIP = 8;

    private final Provenance source;
    private final List<String[]> chips = new ArrayList<>();
    private final Map<Long, Usage> usage = new TreeMap<>();

    private TpuInfoParser(Provenance source) {
        this.source = source;
    }

    /// Reads a text.
    ///
    /// @param source source of the facts
    static Listing parse(String text, Provenance source) {
        // Some versions draw their tables with box characters.
        return new TpuInfoParser(source).read(text.replace('│', '|').replace('┃', '|'));
    }

    private Listing read(String text) {
        List<String> header = List.of();
        for (List<String> row : PipeTable.rows(text)) {
            if (row.getFirst().startsWith("/dev/") && row.size() >= 3 && chips.size() < MAX_CHIPS) {
                chips.add(row.toArray(String[]::new));
            } else if (isUsage(header)
                    && Amount.count(row.getFirst(), MAX_CHIPS).isPresent()) {
                addUsage(header, row);
            } else {
                header = row;
            }
        }
        List<Listing.Chip> list = new ArrayList<>();
        List<Long> ids = usageIds();
        for (int i = 0; i < chips.size(); i++) {
            String[] chip = chips.get(i);
            Usage used = usage.getOrDefault(ids.get(i), Usage.NOTHING);
            list.add(new Listing.Chip(chip[0], chip[1], used.total, used.used, used.duty));
        }
        return new Listing(value(text, "libtpu version"), value(text, "accelerator type"), list);
    }

    /// Under which number each chip's usage stands. Usually that is its place in the list; in parts of a host, where
    /// numbers start higher, it is the number of its node, or else all that can be said is that both are in order.
    private List<Long> usageIds() {
        List<Long> places = LongStream.range(0, chips.size()).boxed().toList();
        List<Long> nodes = chips.stream()
                .map(chip -> Amount.count(
                                chip[0].substring(chip[0].lastIndexOf('/') + 1).replace("accel", ""), MAX_CHIPS)
                        .orElse(-1L))
                .toList();
        if (places.containsAll(usage.keySet())) {
            return places;
        }
        if (nodes.containsAll(usage.keySet())) {
            return nodes;
        }
        return usage.size() == chips.size() ? List.copyOf(usage.keySet()) : places;
    }

    private static boolean isUsage(List<String> header) {
        return header.size() >= 3 && header.get(1).startsWith("HBM Usage");
    }

    private void addUsage(List<String> header, List<String> row) {
        int slash = row.size() < 3 ? -1 : row.get(1).indexOf('/');
        if (slash < 0) {
            return;
        }
        long number = Amount.count(row.getFirst(), MAX_CHIPS).orElseThrow();
        Usage own = new Usage(
                reading(Amount.bytes(row.get(1).substring(slash + 1))),
                reading(Amount.bytes(row.get(1).substring(0, slash))),
                reading(Amount.percent(row.get(2))));
        long chip = header.getFirst().equals("Device") ? number / devicesPerChip() : number;
        usage.merge(chip, own, Usage::plus);
    }

    private long devicesPerChip() {
        return chips.isEmpty()
                ? 1
                : Amount.count(chips.getFirst()[2], MAX_DEVICES_PER_CHIP)
                        .filter(devices -> devices > 0)
                        .orElse(1L);
    }

    private <T> Reading<T> reading(Optional<T> value) {
        return Reading.of(value, source, source.source() + " does not report it");
    }

    /// The value of a line such as `- libtpu version: 0.0.18`; `N/A (…)` is unknown.
    private Reading<String> value(String text, String key) {
        for (String line : text.split("\n")) {
            String bare = line.strip();
            String item = bare.startsWith("- ") ? bare.substring(2) : bare;
            int colon = item.indexOf(':');
            if (colon < 0 || !item.substring(0, colon).toLowerCase(Locale.ROOT).equals(key)) {
                continue;
            }
            String value = item.substring(colon + 1).strip();
            return value.isEmpty() || value.startsWith("N/A")
                    ? Reading.notSupported(source.source() + " reports '" + value + "'")
                    : Reading.known(value, source);
        }
        return Reading.notProbed();
    }

    /// Both together; unknown where one is.
    static Reading<Bytes> sum(Reading<Bytes> one, Reading<Bytes> two) {
        return two.find().isPresent()
                ? one.map(bytes -> bytes.saturatingPlus(two.find().get()))
                : two;
    }

    private record Usage(Reading<Bytes> total, Reading<Bytes> used, Reading<Ratio> duty) {
        private static final Usage NOTHING = new Usage(Reading.notProbed(), Reading.notProbed(), Reading.notProbed());

        /// The cores of a chip divide its memory and share its time.
        Usage plus(Usage other) {
            return new Usage(sum(total, other.total), sum(used, other.used), duty);
        }
    }

    /// The output of `tpu-info`.
    ///
    /// @param runtime the version of libtpu
    /// @param type the accelerator type, such as `v6e`
    /// @param chips the chips in the tool's order
    record Listing(Reading<String> runtime, Reading<String> type, List<Chip> chips) {
        Listing {
            chips = List.copyOf(chips);
        }

        /// One chip.
        ///
        /// @param node its node, such as `/dev/vfio/0`
        /// @param type its type in the tool's words, such as `TPU v6e chip`
        /// @param memory its memory
        /// @param used its memory in use
        /// @param duty the share of time it was busy
        record Chip(String node, String type, Reading<Bytes> memory, Reading<Bytes> used, Reading<Ratio> duty) {}
    }
}
