// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.table.CsvTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A family of models whose tensors are known: it makes the parameter count of a configuration exact. The families
/// are data (`families.txt`, and `parts.txt` for parts), since there are some two hundred. Immutable once read.
public final class ModelFamily {
    private static final List<String> RESOURCES = List.of("families.txt", "parts.txt");
    /// The family assumed if none is stated: the small tensors are those of Llama, or of DeepSeek's second version
    /// with latent attention.
    private static final String PLAIN = "llama";

    private static final String PLAIN_LATENT = "deepseek_v2";

    /// The families read so far; at most as many as the table has.
    private static final Map<String, ModelFamily> READ = new ConcurrentHashMap<>();

    private final String name;
    private final Map<String, Slot> slots = new LinkedHashMap<>();
    private final Map<String, Formula> defaults = new LinkedHashMap<>();

    private ModelFamily(String name) {
        this.name = name;
    }

    /// A tensor of the family, or several alike: rows and columns, or a vector's length.
    record Slot(
            String group,
            String name,
            Formula rows,
            @Nullable Formula columns) {}

    /// Returns the family with a name that configurations or files use.
    public static Optional<ModelFamily> find(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        Integer header = Lines.HEADERS.get(wanted);
        if (header == null) {
            return Optional.empty();
        }
        ModelFamily known = READ.get(wanted);
        if (known == null) {
            known = read(header);
            READ.put(wanted, known);
        }
        return Optional.of(known);
    }

    /// Returns the family assumed for a model that does not state one.
    static ModelFamily plain(ModelArchitecture architecture) {
        return find(architecture.hasLatentAttention() ? PLAIN_LATENT : PLAIN).orElseThrow();
    }

    /// The lines of the table without comments, and the names of families with the lines where they begin.
    private static final class Lines {
        static final List<String> ALL = new ArrayList<>();
        static final Map<String, Integer> HEADERS = new HashMap<>();

        static {
            RESOURCES.forEach(name -> add(CsvTable.resource(ModelFamily.class, name)));
        }

        private static void add(String text) {
            for (int start = 0; start < text.length(); ) {
                int end = text.indexOf('\n', start);
                String line = text.substring(start, end < 0 ? text.length() : end);
                if (!line.isBlank() && line.charAt(0) != '#') {
                    for (String name : isHeader(line) ? names(line) : List.<String>of()) {
                        HEADERS.put(name.toLowerCase(Locale.ROOT), ALL.size());
                    }
                    ALL.add(line);
                }
                start = end < 0 ? text.length() : end + 1;
            }
        }
    }

    private static boolean isHeader(String line) {
        return line.charAt(0) != ' ';
    }

    private static List<String> names(String header) {
        int parent = header.indexOf('<');
        return List.of(
                (parent < 0 ? header : header.substring(0, parent)).strip().split(" "));
    }

    private static ModelFamily read(int header) {
        String head = Lines.ALL.get(header);
        ModelFamily family = new ModelFamily(names(head).getFirst());
        int parent = head.indexOf('<');
        if (parent >= 0) {
            for (String name : head.substring(parent + 1).split("\\+")) {
                ModelFamily like = find(name.strip()).orElseThrow();
                family.slots.putAll(like.slots);
                family.defaults.putAll(like.defaults);
            }
        }
        for (int at = header + 1; at < Lines.ALL.size() && !isHeader(Lines.ALL.get(at)); at++) {
            for (String part : Lines.ALL.get(at).split(";")) {
                family.add(part.strip());
            }
        }
        return family;
    }

    /// Reads `group.slot: rows x columns`, `group.slot: -` (no such tensor) or `name = default`.
    private void add(String part) {
        int colon = part.indexOf(": ");
        int dot = part.indexOf('.');
        int equals = part.indexOf(" = ");
        if (equals >= 0 && (colon < 0 || equals < colon)) {
            defaults.put(part.substring(0, equals).strip(), Formula.parse(part.substring(equals + 2)));
            return;
        }
        String key = part.substring(0, colon).strip();
        String shape = part.substring(colon + 2).strip();
        if (shape.equals("-")) {
            slots.remove(key);
            return;
        }
        int by = shape.indexOf(" x ");
        Formula rows = Formula.parse(by < 0 ? shape : shape.substring(0, by));
        Formula columns = by < 0 ? null : Formula.parse(shape.substring(by + 3));
        slots.put(key, new Slot(key.substring(0, dot), key.substring(dot + 1), rows, columns));
    }

    /// Returns its first name.
    public String name() {
        return name;
    }

    /// Returns the defaults of its own code for what configurations leave out: formulas by the name of a number.
    Map<String, Formula> defaults() {
        return defaults;
    }

    public boolean hasDefault(String number) {
        return defaults.containsKey(number);
    }

    /// Returns its tensors, by the part of the model that they belong to.
    Iterable<Slot> slots() {
        return slots.values();
    }

    /// Reports whether it defines tensors of a part of models, such as `vision`.
    public boolean hasGroup(String part) {
        for (Slot slot : slots.values()) {
            if (slot.group().equals(part)) {
                return true;
            }
        }
        return false;
    }

    /// Reports whether some tensor has this name, as in `mlp.gate`.
    public boolean has(String slot) {
        return slots.containsKey(slot);
    }
}
