// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelKind;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ParameterCount;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Parameters of encoders, encoder-decoders, towers and speech models, held against what transformers 5.12.1 counts on
/// the
/// meta device (scripts/oracle-models).
class PartsOracleTest {
    static List<OracleTable> rows() {
        return OracleTable.parse(CsvTable.resource(PartsOracleTest.class, "transformers-kinds.csv"));
    }

    /// Classes of diffusers, as diffusers of 2026-11 counts them.
    @Test
    void everyClassOfDiffusersIsCountedAsDiffusersDoes() {
        List<String> wrong = new ArrayList<>();
        for (OracleTable row : OracleTable.parse(CsvTable.resource(PartsOracleTest.class, "diffusers-classes.csv"))) {
            String config = row.get("config");
            String member = row.get("class").startsWith("Autoencoder")
                    ? "{\"_class_name\":\"Pipeline\",\"vae\":" + config + "}"
                    : config;
            ModelArchitecture architecture = CheckpointReader.parseConfig(member);
            long counted = architecture.components().stream()
                    .mapToLong(ModelComponent::parameters)
                    .sum();
            if (counted != Long.parseLong(row.get("parameters"))) {
                wrong.add(row.get("model") + " " + counted + " not " + row.get("parameters") + " "
                        + architecture.doubt());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyClassIsCountedAsTransformersDoes() {
        List<String> wrong = new ArrayList<>();
        for (OracleTable row : rows()) {
            ModelArchitecture architecture = CheckpointReader.parseConfig(row.get("config"));
            String counted = ParameterCount.of(architecture)
                    .find()
                    .map(ParameterCount::total)
                    .map(String::valueOf)
                    .orElse(String.valueOf(ParameterCount.of(architecture)));
            if (!counted.equals(row.get("parameters")) || architecture.kind() == ModelKind.TEXT_GENERATION) {
                wrong.add(row.get("class") + " " + architecture.kind() + ": " + counted + " not "
                        + row.get("parameters") + " " + row.get("parts")
                        + architecture.components().stream()
                                .map(ModelComponent::toString)
                                .collect(Collectors.joining("\n  ", "\n  ", "")));
            }
        }
        assertThat(wrong).isEmpty();
    }
}
