// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.table.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// `-Dgolden.update=true` writes the table anew, after a change of models or of what their tensors are.
class KnownSizesTest {
    private static final Path TABLE =
            Path.of("src/main/resources/dev/muster/model/catalogue").resolve(KnownSizes.RESOURCE);

    private final ModelCatalogue counted = ModelCatalogue.counted(_ -> Optional.empty());

    @Test
    void theTableHasWhatIsCounted() throws IOException {
        StringBuilder text = new StringBuilder("model_id,parameters,active,counted,context\n");
        counted.entries().forEach(entry -> text.append(KnownSizes.line(entry)).append('\n'));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(TABLE, text);
        }
        assertThat(Files.readString(TABLE))
                .as("run KnownSizesTest with -Dgolden.update=true and review the difference")
                .isEqualTo(text.toString());
    }

    @Test
    void readingsAreThoseOfACount() {
        for (ModelEntry entry : counted.entries()) {
            ModelEntry known = ModelCatalogue.builtIn().find(entry.id()).orElseThrow();
            assertThat(known.parameters()).isEqualTo(entry.parameters());
            assertThat(known.activeParameters()).isEqualTo(entry.activeParameters());
            assertThat(known.findContext()).isEqualTo(entry.findContext());
        }
    }

    /// The built-in table is read row by row without these checks.
    @Test
    void theTableOfModelsIsOneThatUsersCouldGive() {
        String text = CsvTable.resource(ModelCatalogue.class, "models.csv");
        assertThat(ModelCatalogue.parse(text).ids())
                .isEqualTo(ModelCatalogue.builtIn().ids());
    }
}
