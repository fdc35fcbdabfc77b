// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
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
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
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

    /// Models that are further off.
    private static final Map<String, Double> WIDER = Map.of(
            // The published total has the part that sees images, which the catalogue leaves out.
            "llama-4-scout", 1.2);

    /// Text parts, in billions, of models that are published whole and whose text part has no row of its own:
    /// 12 B less the 0.87 B of the vision tower of Llama 4, 4.68 B less the 0.67 B of Whisper's encoder and its
    /// projector, 3.34 B less the 0.40 B of its encoders.
    private static final Map<String, Double> TEXT_PARTS =
            Map.of("llama-guard-4-12b", 11.13, "voxtral-mini-3b", 4.01, "deepseek-ocr", 2.94);

    /// Embeddings that the published active parameters leave out, since a token reads one row of them.
    private static final Map<String, Integer> EMBEDDINGS_LEFT_OUT =
            Map.of("qwen3.5-35b-a3b", 1, "minimax-text-01", 2, "longcat-flash", 1);

    /// The most active parameters, in billions, where the published figure is a mean: LongCat-Flash has experts that
    /// compute nothing, and uses 18.6 to 31.3 B.
    private static final Map<String, Double> MOST_ACTIVE = Map.of("longcat-flash", 31.3);

    private static final Map<String, CsvRow> ROWS =
            CsvTable.parse(CsvTable.resource(ModelCatalogue.class, "models.csv")).rows().stream()
                    .collect(Collectors.toMap(row -> row.require("model_id"), Function.identity()));

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
        CsvRow row = Objects.requireNonNull(ROWS.get(id));
        CsvRow root = root(row);
        ParameterCount count = ParameterCount.of(architecture(id)).find().orElseThrow();
        double published = billions(row, "params_total_b");
        // The published total of a model that sees or hears has encoders, which the catalogue leaves out: its text part
        // is compared with the model that it is made of.
        boolean isPart = row.orEmpty("note").contains("text part");
        double text = !isPart ? published : TEXT_PARTS.getOrDefault(id, billions(root, "params_total_b"));
        assertThat(count.total() / 1e9)
                .isCloseTo(text, Percentage.withPercentage(WIDER.getOrDefault(id, TOTAL_PERCENT)))
                .isLessThan((1 + TOTAL_PERCENT / 100) * published);
        ModelArchitecture architecture = architecture(id);
        String like = root.require("model_id");
        double embedding = architecture.find(ModelDimension.VOCABULARY).orElse(0)
                * (double) architecture.find(ModelDimension.HIDDEN_SIZE).orElse(0);
        double active = count.active() - EMBEDDINGS_LEFT_OUT.getOrDefault(like, 0) * embedding;
        assertThat(active / 1e9)
                .isCloseTo(
                        MOST_ACTIVE.getOrDefault(like, billions(row, "params_active_b")),
                        Percentage.withPercentage(ACTIVE_PERCENT));
    }

    /// Returns the row whose architecture a row has.
    private static CsvRow root(CsvRow row) {
        String like = row.orEmpty("like");
        return like.isEmpty() ? row : root(Objects.requireNonNull(ROWS.get(like)));
    }

    private static double billions(CsvRow row, String column) {
        return Double.parseDouble(row.require(column));
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
