// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.table.CsvTable;
import java.util.Optional;

/// The configurations of models whose architecture no columns of the catalogue can hold: a line for each, with its
/// short name, a space and the facts of its `config.json` as JSON. `scripts/update-models` writes the table.
final class KnownConfigs {
    private static final String RESOURCE = "configs.txt";
    /// Those of models that do not write text; `scripts/update-models` leaves it as it is.
    private static final String KINDS = "kinds.txt";

    private KnownConfigs() {}

    /// Returns the architecture of a model; empty if the table lacks it.
    static Optional<ModelArchitecture> find(String id) {
        String start = "\n" + id + " ";
        int line = Table.TEXT.indexOf(start);
        if (line < 0) {
            return Optional.empty();
        }
        int from = line + start.length();
        return Optional.of(CheckpointReader.parseConfig(Table.TEXT.substring(from, Table.TEXT.indexOf('\n', from))));
    }

    /// Read for the first model that may have a line.
    private static final class Table {
        private static final String TEXT =
                "\n" + CsvTable.resource(KnownConfigs.class, RESOURCE) + CsvTable.resource(KnownConfigs.class, KINDS);
    }
}
