package dev.muster.plan.catalogue;

import dev.muster.plan.catalogue.TextCursor.Word;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Reads hosts: `2x[h100-sxm:8 nvswitch] [l4:4]`, or the items of one host without brackets. Confined to one thread.
///
/// ```
/// hosts = host { host } | items
/// host  = [ count "x" ] "[" items "]"
/// items = item { item }
/// ```
///
/// Between items stand blanks or commas. [HostItems] says what an item is.
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
        return WholeNumber.read(word.until(text.length() - 1), "the count of hosts", MAX_HOSTS);
    }

    private HostDescription readItems() {
        DeviceTextException empty = cursor.wrong("this host is empty; write a device, as in h100-sxm:8");
        HostItems items = new HostItems(catalogue);
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
}
