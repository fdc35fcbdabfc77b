// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.HostDescription.Cards;
import dev.muster.plan.catalogue.HostDescription.Network;
import dev.muster.plan.catalogue.TextCursor.Word;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Parses hosts: `2x[h100-sxm:8 nvswitch] [l4:4]`, or the items of one host without brackets. Confined to one thread.
///
/// ```
/// hosts = host { host } | items
/// host  = [ count "x" ] "[" items "]"
/// items = item { item }
/// ```
///
/// Between items stand blanks or commas. [Items] says what an item is.
final class HostGrammar {
    /// The most hosts that one text may describe.
    static final int MAX_HOSTS = 512;

    private static final String EXAMPLE = "write hosts as in 2x[h100-sxm:8 nvswitch]";

    private final TextCursor cursor;
    private final DeviceCatalogue catalogue;
    private final List<HostDescription> hosts = new ArrayList<>();

    private HostGrammar(String text, DeviceCatalogue catalogue) {
        this.cursor = new TextCursor(text);
        this.catalogue = catalogue;
    }

    static List<HostDescription> parse(String text, DeviceCatalogue catalogue) {
        HostGrammar grammar = new HostGrammar(text, catalogue);
        boolean bracketed = text.indexOf('[') >= 0 || text.indexOf(']') >= 0;
        if (bracketed) {
            grammar.readHosts();
        } else {
            grammar.add(1, grammar.readItems());
        }
        return List.copyOf(grammar.hosts);
    }

    private void readHosts() {
        skipSeparators();
        while (!cursor.isAtEnd()) {
            Word word = cursor.word();
            int count = word.text().isEmpty() ? 1 : readCount(word);
            DeviceTextException unclosed = cursor.wrong("this bracket is not closed; write ] behind the host");
            if (!cursor.take('[')) {
                throw cursor.wrong("a [ should stand here; " + EXAMPLE);
            }
            HostDescription host = readItems();
            if (!cursor.take(']')) {
                throw cursor.isAtEnd() ? unclosed : cursor.wrong("a host inside a host; close the first with ]");
            }
            add(count, host);
            skipSeparators();
        }
    }

    private int readCount(Word word) {
        String text = word.text();
        char last = text.charAt(text.length() - 1);
        if (!cursor.isAt('[') || (last != 'x' && last != 'X')) {
            throw word.wrong(word.quoted() + " stands outside the brackets; " + EXAMPLE);
        }
        return word.until(text.length() - 1).count("the count of hosts", MAX_HOSTS);
    }

    private HostDescription readItems() {
        DeviceTextException empty = cursor.wrong("this host is empty; write a device, as in h100-sxm:8");
        Items items = new Items(catalogue);
        boolean some = false;
        skipSeparators();
        for (Word word = cursor.word(); !word.text().isEmpty(); word = cursor.word()) {
            items.add(word);
            some = true;
            skipSeparators();
        }
        if (!some) {
            throw empty;
        }
        return items.toHost();
    }

    private void add(int count, HostDescription host) {
        hosts.addAll(Collections.nCopies(count, host));
        int devices = hosts.stream().mapToInt(HostDescription::deviceCount).sum();
        if (hosts.size() > MAX_HOSTS || devices > DeviceList.MAX_DEVICES) {
            throw cursor.wrong("these are more than " + MAX_HOSTS + " hosts or " + DeviceList.MAX_DEVICES
                    + " devices; describe fewer");
        }
    }

    private void skipSeparators() {
        do {
            cursor.skipBlanks();
        } while (cursor.take(','));
    }

    /// Collects the items of one synthetic host: devices (`h100-sxm:8`), fabrics (`nvswitch`), NUMA nodes (`numa:2`),
    /// memory (`cpu:1TiB`), network cards (`ib:8x400`, `roce:2x100`). Confined to one thread.
    private static final class Items {
        /// The most NUMA nodes of a host.
        static final int MAX_NUMA = 64;
        /// The most network cards of a kind in a host.
        static final int MAX_CARDS = 64;
        /// The fastest card, in Gb/s.
        static final int MAX_GIGABITS = 100_000;

        private static final String NUMA = "numa:";
        private static final String MEMORY = "cpu:";
        private static final double BITS_PER_BYTE = 8;

        private final DeviceCatalogue catalogue;
        private final Set<String> seen = new HashSet<>();
        private final List<DeviceCount> devices = new ArrayList<>();
        private final List<HostFabric> fabrics = new ArrayList<>();
        private final List<Word> fabricWords = new ArrayList<>();
        private final List<Cards> cards = new ArrayList<>();
        private int numaNodes;
        private Reading<Bytes> memory = Reading.unknown(UnknownReason.NOT_STATED, "no memory was given");

        Items(DeviceCatalogue catalogue) {
            this.catalogue = catalogue;
        }

        void add(Word word) {
            String text = word.text().toLowerCase(Locale.ROOT);
            int colon = text.indexOf(':');
            if (!seen.add(colon < 0 ? text : text.substring(0, colon))) {
                throw word.wrong("this host already has such an item as " + word.quoted() + "; write it once");
            }
            List<HostFabric> meant = HostFabric.listByWord(text);
            if (!meant.isEmpty()) {
                fabrics.addAll(meant);
                fabricWords.add(word);
            } else if (text.startsWith(NUMA)) {
                numaNodes = word.from(NUMA.length()).count("the count of NUMA nodes", MAX_NUMA);
            } else if (text.startsWith(MEMORY)) {
                memory = Reading.known(word.from(MEMORY.length()).size(), Provenance.GIVEN);
            } else if (!addCards(word, text)) {
                devices.add(DeviceCount.read(word, catalogue));
            }
        }

        private boolean addCards(Word word, String text) {
            for (Network network : Network.values()) {
                if (text.startsWith(network.word + ":")) {
                    cards.add(readCards(network, word.from(network.word.length() + 1)));
                    return true;
                }
            }
            return false;
        }

        /// Parses count and rate, such as `8x400`.
        private static Cards readCards(Network network, Word word) {
            int times = word.text().toLowerCase(Locale.ROOT).indexOf('x');
            if (times < 0) {
                throw word.wrong("network cards are COUNTxRATE with the rate in Gb/s, as in " + network.word
                        + ":8x400, not " + word.quoted());
            }
            int count = word.until(times).count("the count of cards", MAX_CARDS);
            int rate = word.from(times + 1).count("the rate of a card in Gb/s", MAX_GIGABITS);
            return new Cards(network, count, new Bandwidth(rate / BITS_PER_BYTE));
        }

        HostDescription toHost() {
            for (Word word : fabricWords) {
                List<HostFabric> meant = HostFabric.listByWord(word.text().toLowerCase(Locale.ROOT));
                boolean used = devices.stream()
                        .anyMatch(item -> meant.stream().anyMatch(fabric -> fabric.joins(item.entry())));
                if (!used) {
                    throw word.wrong("no device of this host has " + meant.getFirst().display + "; leave "
                            + word.quoted() + " out");
                }
            }
            // If processor and device share one memory, its size is also the host's.
            boolean isShared = !memory.isKnown()
                    && devices.size() == 1
                    && devices.getFirst().count() == 1
                    && devices.getFirst().memory().isKnown();
            return new HostDescription(
                    devices, fabrics, numaNodes, isShared ? devices.getFirst().memory() : memory, cards);
        }
    }
}
