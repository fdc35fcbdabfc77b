// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.model.catalogue.ModelEntry.Size;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ModelTensors;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The sizes of the models that come with Muster, counted before: `muster models` lists them all, and counting takes
/// longer than the whole command may. A model without a row is counted when its size is asked for.
final class KnownSizes {
    static final String RESOURCE = "sizes.csv";

    private KnownSizes() {}

    /// Returns the size of a model; empty if the table lacks it.
    static Optional<Size> find(String id) {
        CsvTable.Line line = Table.LINES.get(id);
        return line == null ? Optional.empty() : Optional.of(size(id, line.get()));
    }

    private static Size size(String id, CsvRow row) {
        Provenance provenance = row.find("counted").isPresent() ? ModelTensors.COUNTED : ModelRows.rounded(id);
        Optional<Long> context = row.findCount("context", 1, Long.MAX_VALUE);
        return new Size(
                Reading.known(row.requireCount("parameters", 1, Long.MAX_VALUE), provenance),
                Reading.known(row.requireCount("active", 1, Long.MAX_VALUE), provenance),
                context.isPresent() ? OptionalLong.of(context.get()) : OptionalLong.empty());
    }

    static String line(ModelEntry entry) {
        Reading.Known<Long> parameters = (Reading.Known<Long>) entry.parameters();
        OptionalLong context = entry.findContext();
        return entry.id() + "," + parameters.value() + ","
                + entry.activeParameters().find().orElseThrow() + ","
                + (parameters.provenance().equals(ModelTensors.COUNTED) ? "yes" : "") + ","
                + (context.isPresent() ? context.getAsLong() : "");
    }

    /// Read for the first size.
    private static final class Table {
        private static final Map<String, CsvTable.Line> LINES = new HashMap<>();

        static {
            for (CsvTable.Line line : CsvTable.lines(CsvTable.resource(KnownSizes.class, RESOURCE))) {
                LINES.put(line.first(), line);
            }
        }
    }
}
