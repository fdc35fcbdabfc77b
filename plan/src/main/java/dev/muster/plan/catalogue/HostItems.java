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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Collects the items of one made-up host: devices (`h100-sxm:8`), fabrics (`nvswitch`), NUMA nodes (`numa:2`), memory
/// (`cpu:1TiB`), network cards (`ib:8x400`, `roce:2x100`). Confined to one thread.
final class HostItems {
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
    private Reading<Bytes> memory = Reading.unknown(UnknownReason.NOT_STATED, "nobody said how much memory it has");

    HostItems(DeviceCatalogue catalogue) {
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
            numaNodes = WholeNumber.read(word.from(NUMA.length()), "the count of NUMA nodes", MAX_NUMA);
        } else if (text.startsWith(MEMORY)) {
            memory = Reading.known(size(word.from(MEMORY.length())), Provenance.GIVEN);
        } else if (!addCards(word, text)) {
            devices.add(DeviceCount.read(word, catalogue));
        }
    }

    private static Bytes size(Word word) {
        try {
            return Bytes.parseWithUnit(word.text());
        } catch (IllegalArgumentException e) {
            throw word.wrong(String.valueOf(e.getMessage()));
        }
    }

    private boolean addCards(Word word, String text) {
        for (Network network : Network.values()) {
            if (text.startsWith(network.word() + ":")) {
                cards.add(readCards(network, word.from(network.word().length() + 1)));
                return true;
            }
        }
        return false;
    }

    /// Count and rate, such as `8x400`.
    private static Cards readCards(Network network, Word word) {
        int times = word.text().toLowerCase(Locale.ROOT).indexOf('x');
        if (times < 0) {
            throw word.wrong("network cards are COUNTxRATE with the rate in Gb/s, as in " + network.word()
                    + ":8x400, not " + word.quoted());
        }
        int count = WholeNumber.read(
                new Word(word.text().substring(0, times), word.position()), "the count of cards", MAX_CARDS);
        int rate = WholeNumber.read(word.from(times + 1), "the rate of a card in Gb/s", MAX_GIGABITS);
        return new Cards(network, count, new Bandwidth(rate / BITS_PER_BYTE));
    }

    HostDescription toHost() {
        for (Word word : fabricWords) {
            List<HostFabric> meant = HostFabric.listByWord(word.text().toLowerCase(Locale.ROOT));
            boolean used =
                    devices.stream().anyMatch(item -> meant.stream().anyMatch(fabric -> fabric.joins(item.entry())));
            if (!used) {
                throw word.wrong("no device of this host has "
                        + meant.getFirst().display() + "; leave " + word.quoted() + " out");
            }
        }
        return new HostDescription(devices, fabrics, numaNodes, memory, cards);
    }
}
