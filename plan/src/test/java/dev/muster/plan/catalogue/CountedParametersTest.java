// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelKind;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.KvCache;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ParameterCount;
import dev.muster.model.tensor.StoredWeights;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Parameter counts of planners, tensor by tensor, compared with published ones.
class CountedParametersTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    /// Publishers round to whole billions.
    private static final double TOTAL_PERCENT = 1;
    /// Active parameters are rounded more, and not all publishers count the embedding.
    private static final double ACTIVE_PERCENT = 3;

    /// The least share of the part that generates text.
    private static final double LEAST_TEXT = 0.35;

    /// Models that are further off.
    private static final Map<String, Double> WIDER = Map.of(
            // The published total has the part that sees images, which the catalogue leaves out.
            "llama-4-scout", 1.2);

    private static final Map<String, Double> WIDER_ACTIVE = Map.of(
            // Published without the embedding, of which a token reads one row: 3.455 - 0.509.
            "qwen3.5-35b-a3b", 16.0,
            // A third of the experts that a token may choose compute nothing; 27 B is the published mean.
            "longcat-flash", 20.0,
            "longcat-flash-thinking", 20.0,
            // Published without the embeddings, of which a token reads one row: 48.4 - 2.5.
            "minimax-text-01", 6.0,
            "minimax-m1", 6.0);

    static List<String> everyModel() {
        return MODELS.entries().stream()
                .filter(entry -> entry.kind() == ModelKind.TEXT_GENERATION)
                .filter(entry -> !entry.source().contains("is not described here"))
                .map(ModelEntry::id)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("everyModel")
    void countsWhatIsPublished(String id) {
        CsvRow row = CsvTable.parse(CsvTable.resource(ModelCatalogue.class, "models.csv")).rows().stream()
                .filter(one -> one.require("model_id").equals(id))
                .findFirst()
                .orElseThrow();
        ParameterCount count = ParameterCount.of(architecture(id)).find().orElseThrow();
        double published = Double.parseDouble(row.require("params_total_b"));
        if (row.orEmpty("note").contains("text part")) {
            // The published total has parts that see or hear, which the catalogue leaves out.
            assertThat(count.total() / 1e9).isBetween(LEAST_TEXT * published, (1 + TOTAL_PERCENT / 100) * published);
        } else {
            assertThat(count.total() / 1e9)
                    .isCloseTo(published, Percentage.withPercentage(WIDER.getOrDefault(id, TOTAL_PERCENT)));
        }
        assertThat(count.active() / 1e9)
                .isCloseTo(
                        Double.parseDouble(row.require("params_active_b")),
                        Percentage.withPercentage(WIDER_ACTIVE.getOrDefault(id, ACTIVE_PERCENT)));
    }

    /// 16 bits for each parameter, in any layer.
    @ParameterizedTest
    @CsvSource({"nemotron-3-nano-30b-a3b, 63.2", "qwen3.5-27b, 54", "qwen3.5-35b-a3b, 70", "llama-3.1-8b, 16.06"})
    void weightsTakeWhatTheCountSays(String id, double gigabytes) {
        Bytes bytes = StoredWeights.of(architecture(id), StandardFormat.BF16)
                .map(StoredWeights::total)
                .find()
                .orElseThrow();
        assertThat(bytes.toDouble() / 1e9).isCloseTo(gigabytes, Percentage.withPercentage(1));
    }

    @Test
    void layersOfAHybridAreOneThingEach() {
        LayerKinds layers = LayerKinds.of(architecture("nemotron-3-nano-30b-a3b"));
        assertThat(layers.layers()).hasSize(52).allMatch(layer -> layer.parts() == 1);
        assertThat(layers.count(Mixer.STATE)).isEqualTo(23);
        assertThat(layers.count(Mixer.FULL_ATTENTION)).isEqualTo(6);
        assertThat(layers.count(Block.EXPERTS)).isEqualTo(23);
    }

    /// 48 layers keep 48 matrices of 128 x 128 and 3 inputs of 10,240 numbers in 32 bits, however long a sequence
    /// is; 16 layers keep keys and values of 4 heads of 256.
    @Test
    void statesDoNotGrow() {
        KvCache cache = KvCache.of(architecture("qwen3.5-27b"), 2).find().orElseThrow();
        long states = 48L * 4 * (48 * 128 * 128 + 3 * 10_240);
        assertThat(cache.ofTokens(0)).isEqualTo(Bytes.of(states));
        assertThat(cache.perToken()).isEqualTo(Bytes.of(16L * 2 * 4 * 256 * 2));
        assertThat(cache.ofTokens(1000)).isEqualTo(Bytes.of(states + 1000L * 16 * 2 * 4 * 256 * 2));
    }

    private static ModelArchitecture architecture(String id) {
        return MODELS.find(id).orElseThrow().architecture();
    }
}
