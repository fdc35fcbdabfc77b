// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.Reading;
import dev.muster.model.CatalogueException;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.tensor.ParameterCount;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogueRefreshTest {
    private static final LocalDate DAY = LocalDate.of(2026, 11, 19);

    /// Every published configuration is either a row that counts the same, or left out with a reason.
    @Test
    void rowsCountWhatTheirConfigurationsCount() throws IOException {
        Map<String, ModelArchitecture> models = new TreeMap<>();
        try (Stream<Path> files = Files.list(Need.recording("fixtures/configs"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".json")).toList()) {
                String name = file.getFileName().toString().replace(".json", "").replace("--", "/");
                models.put(name, CheckpointReader.parseConfig(Files.readString(file)));
            }
        }
        Map<String, Reading<Long>> told = new TreeMap<>();
        ModelCatalogue table = ModelCatalogue.parse(ModelCatalogue.refreshed("", models, DAY, told::put));
        assertThat(told.keySet()).isEqualTo(models.keySet());
        told.forEach((name, parameters) -> {
            if (parameters instanceof Reading.Unknown<Long> unknown) {
                assertThat(unknown.detail()).as(name).isNotBlank();
                return;
            }
            String id = name.substring(name.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
            ModelEntry entry = table.find(id).orElseThrow();
            ParameterCount count = ParameterCount.of(Objects.requireNonNull(models.get(name)))
                    .find()
                    .orElseThrow();
            assertThat(entry.parameters().find()).as(name).contains(count.total());
            assertThat(entry.activeParameters().find()).as(name).contains(count.active());
            assertThat(entry.repository()).isEqualTo(name);
        });
        assertThat(table.entries()).hasSizeGreaterThan(15);
    }

    @Test
    void rowsOfTheSameNameAreReplacedAndOthersStay() {
        String own = "model_id,params_total_b,source,date\nmine,3,\"by hand, once\",2026-01-01\nold,5,x,2026-01-01\n";
        ModelArchitecture plain = CheckpointReader.parseConfig("""
                {"model_type":"llama","hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":4,
                 "num_attention_heads":8,"num_key_value_heads":2,"vocab_size":32000,"tie_word_embeddings":false}""");
        String text = ModelCatalogue.refreshed(own, Map.of("me/Old", plain), DAY, (_, _) -> {});
        ModelCatalogue table = ModelCatalogue.parse(text);
        assertThat(table.ids()).isEqualTo(List.of("mine", "old"));
        assertThat(table.find("mine").orElseThrow().source()).isEqualTo("by hand, once");
        assertThat(table.find("old").orElseThrow().parameters().find())
                .contains(ParameterCount.of(plain).find().orElseThrow().total());
        assertThat(ModelCatalogue.refreshed(text, Map.of(), DAY, (_, _) -> {})).isEqualTo(text);
    }

    @Test
    void aTableThatIsNoneIsNotWrittenOver() {
        assertThatThrownBy(() -> ModelCatalogue.refreshed("a,b\n1,2\n", Map.of(), DAY, (_, _) -> {}))
                .isInstanceOf(CatalogueException.class);
    }
}
