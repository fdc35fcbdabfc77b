// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads what `nvidia-smi topo -m` prints: cells between tabs or blanks, some of them empty, with terminal
/// escapes around the header even if the output is not a terminal. Behind the devices come columns that differ
/// by age: `CPU Affinity`, later also `NUMA Affinity`, later also `GPU NUMA ID`.
final class NvidiaTopoParser {
    private static final String AFFINITY = "Affinity";
    private static final String OWN_NUMA = "GPU NUMA ID";
    private static final String UNKNOWN = "N/A";
    private static final String GPU = "GPU";
    private static final Set<String> WORDS = Set.of("X", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC");
    private static final int MAX_COLUMNS = 4096;

    private final List<String> devices = new ArrayList<>();
    private final List<NvidiaTopology.Row> rows = new ArrayList<>();

    private NvidiaTopoParser() {}

    /// The matrix.
    ///
    /// @throws NvidiaFormatException if the text holds no matrix of links
    static NvidiaTopology parse(String text) throws NvidiaFormatException {
        NvidiaTopoParser parser = new NvidiaTopoParser();
        for (String line : withoutEscapes(text).split("\n")) {
            if (parser.devices.isEmpty()) {
                parser.readHeader(line);
            } else {
                parser.readRow(line);
            }
        }
        if (parser.rows.isEmpty()) {
            throw new NvidiaFormatException("no topology matrix: " + NvidiaFormatException.quote(text));
        }
        return new NvidiaTopology(parser.rows);
    }

    /// The text without sequences such as ESC `[4m`.
    private static String withoutEscapes(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\u001b' && i + 1 < text.length() && text.charAt(i + 1) == '[') {
                i += 2;
                while (i < text.length() && !Character.isLetter(text.charAt(i))) {
                    i++;
                }
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    private void readHeader(String line) {
        String[] cells = line.split("\t", MAX_COLUMNS);
        if (cells.length < 2) {
            readBlankHeader(line.strip().split("\\s+", MAX_COLUMNS));
            return;
        }
        if (!cells[0].isBlank() || !cells[1].strip().startsWith(GPU)) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 1; i < cells.length; i++) {
            String title = cells[i].strip();
            if (!title.isEmpty() && !title.endsWith(AFFINITY) && !title.equals(OWN_NUMA) && seen.add(title)) {
                devices.add(title);
            }
        }
    }

    /// If tabs became blanks on the way here, as in copies of a terminal, titles of two words fall apart: the first
    /// of them, `CPU Affinity`, ends the devices.
    private void readBlankHeader(String[] titles) {
        if (!isNumbered(titles[0])) {
            return;
        }
        for (String title : titles) {
            if (title.equals("CPU") || title.equals("NUMA") || WORDS.contains(title) || devices.contains(title)) {
                if (WORDS.contains(title)) {
                    devices.clear();
                }
                return;
            }
            devices.add(title);
        }
    }

    private static boolean isNumbered(String title) {
        return Amount.numbered(title, GPU, MAX_COLUMNS).isPresent();
    }

    private void readRow(String line) throws NvidiaFormatException {
        String[] cells =
                line.indexOf('\t') < 0 ? line.strip().split("\\s+", MAX_COLUMNS) : line.split("\t", MAX_COLUMNS);
        String label = cells[0].strip();
        if (!devices.contains(label) || cells.length <= devices.size() || rows.size() >= devices.size()) {
            return;
        }
        Map<String, NvidiaTopology.Path> paths = new LinkedHashMap<>();
        for (int i = 0; i < devices.size(); i++) {
            String word = cells[i + 1].strip();
            if (!WORDS.contains(word) && !word.startsWith("NV")) {
                // Other matrices of the same tool look alike and speak of something else.
                throw new NvidiaFormatException(
                        "no topology matrix: '" + NvidiaFormatException.quote(word) + "' is not a kind of link");
            }
            paths.put(devices.get(i), NvidiaTopology.Path.of(word));
        }
        // Behind the devices come the processors, then the NUMA nodes.
        String numa = devices.size() + 2 < cells.length ? cells[devices.size() + 2].strip() : "";
        rows.add(new NvidiaTopology.Row(label, paths, numa.equals(UNKNOWN) ? "" : numa));
    }
}
