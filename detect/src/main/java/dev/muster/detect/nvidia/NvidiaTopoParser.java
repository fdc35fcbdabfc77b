package dev.muster.detect.nvidia;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads what `nvidia-smi topo -m` prints: cells between tabs, some of them empty, with terminal escapes around the
/// header even where the output is no terminal. Behind the devices come columns that differ by age: `CPU Affinity`,
/// later also `NUMA Affinity`, later also `GPU NUMA ID`.
final class NvidiaTopoParser {
    private static final String AFFINITY = "Affinity";
    private static final String OWN_NUMA = "GPU NUMA ID";
    private static final String NIC_LEGEND = "NIC Legend";
    private static final String UNKNOWN = "N/A";
    private static final Set<String> WORDS = Set.of("X", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC");
    private static final int MAX_COLUMNS = 4096;

    private final List<String> devices = new ArrayList<>();
    private final List<NvidiaTopology.Row> rows = new ArrayList<>();
    private final Map<String, String> nics = new LinkedHashMap<>();
    private boolean tellsOwnNuma;

    private NvidiaTopoParser() {}

    /// The matrix.
    ///
    /// @throws NvidiaFormatException if the text holds no matrix of links
    static NvidiaTopology parse(String text) throws NvidiaFormatException {
        NvidiaTopoParser parser = new NvidiaTopoParser();
        boolean inLegend = false;
        for (String line : withoutEscapes(text).split("\n")) {
            inLegend |= line.strip().startsWith(NIC_LEGEND);
            if (inLegend) {
                parser.readNic(line);
            } else if (parser.devices.isEmpty()) {
                parser.readHeader(line);
            } else {
                parser.readRow(line);
            }
        }
        if (parser.rows.isEmpty()) {
            throw new NvidiaFormatException("no topology matrix: " + NvidiaFormatException.quote(text));
        }
        return new NvidiaTopology(parser.rows, parser.nics);
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
        if (cells.length < 2 || !cells[0].isBlank() || !cells[1].strip().startsWith("GPU")) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 1; i < cells.length; i++) {
            String title = cells[i].strip();
            tellsOwnNuma |= title.equals(OWN_NUMA);
            if (!title.isEmpty() && !title.endsWith(AFFINITY) && !title.equals(OWN_NUMA) && seen.add(title)) {
                devices.add(title);
            }
        }
    }

    private void readRow(String line) throws NvidiaFormatException {
        String[] cells = line.split("\t", MAX_COLUMNS);
        String label = cells[0].strip();
        if (!devices.contains(label) || cells.length <= devices.size() || rows.size() >= devices.size()) {
            return;
        }
        Map<String, String> words = new LinkedHashMap<>();
        for (int i = 0; i < devices.size(); i++) {
            String word = cells[i + 1].strip();
            if (!WORDS.contains(word) && !word.startsWith("NV")) {
                // Other matrices of the same tool look alike and speak of something else.
                throw new NvidiaFormatException(
                        "no topology matrix: '" + NvidiaFormatException.quote(word) + "' is no kind of link");
            }
            words.put(devices.get(i), word);
        }
        List<String> rest = new ArrayList<>();
        for (int i = devices.size() + 1; i < cells.length; i++) {
            rest.add(cells[i].strip());
        }
        rows.add(new NvidiaTopology.Row(label, words, cell(rest, 0), cell(rest, 1), ownNuma(rest)));
    }

    /// The last cell, because an empty one may stand before it.
    private String ownNuma(List<String> rest) {
        return tellsOwnNuma && rest.size() > 2 ? cell(rest, rest.size() - 1) : "";
    }

    private static String cell(List<String> cells, int index) {
        String text = index < cells.size() ? cells.get(index) : "";
        return text.equals(UNKNOWN) ? "" : text;
    }

    private void readNic(String line) {
        int colon = line.indexOf(':');
        String label = colon < 0 ? "" : line.substring(0, colon).strip();
        if (devices.contains(label)) {
            nics.put(label, line.substring(colon + 1).strip());
        }
    }
}
