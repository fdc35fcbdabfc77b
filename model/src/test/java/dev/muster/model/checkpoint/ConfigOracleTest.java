// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ParameterCount;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.model.tensor.TensorRole;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Parameters and kinds of layers, held against what transformers 5.12.1 counts on the meta device.
class ConfigOracleTest {
    /// Buffers that checkpoints carry, such as the bias of routers, are not parameters there.
    private static final double BUFFERS = 0.0002;

    /// The least number of families that are exact.
    private static final int LEAST_EXACT = 190;

    /// Families whose table differs, and the reason.
    private static final Map<String, String> OTHERWISE = Map.of(
            "longcat_flash", "transformers makes rows for experts that do nothing, which no checkpoint has",
            "dbrx", "the widths of its default parts contradict each other",
            "blip-2", "the table counts what joins image and text with the text",
            "instructblip", "the table counts what joins image and text with the text",
            "instructblipvideo", "the table counts what joins image and text with the text",
            "janus", "the table counts the decoder of images with the text",
            "minicpmv4_6", "the table counts what joins image and text with the text",
            "video_llava", "the table counts the tower for videos with the text");

    /// The layer types of transformers, in Muster's words.
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("full_attention", "full"),
            Map.entry("attention", "full"),
            Map.entry("sliding_attention", "sliding"),
            Map.entry("chunked_attention", "chunked"),
            Map.entry("deepseek_sparse_attention", "sparse"),
            Map.entry("linear_attention", "state"),
            Map.entry("mamba", "state"),
            Map.entry("conv", "state"),
            Map.entry("hybrid", "full and state"),
            Map.entry("moe", "none"),
            Map.entry("mlp", "none"));

    /// Families whose lists leave out which layers are compressed, or have latent attention.
    private static final Set<String> OTHER_WORDS = Set.of("deepseek_v4", "zamba", "zamba2");

    private static List<OracleTable> rows(String name) {
        return OracleTable.parse(CsvTable.resource(ConfigOracleTest.class, name));
    }

    static List<OracleTable> countedConfigs() {
        return rows("published-configs.csv").stream()
                .filter(row -> !row.get("parameters").isEmpty())
                .toList();
    }

    /// Values of published configurations.
    @ParameterizedTest
    @MethodSource("countedConfigs")
    void publishedConfigurationsAreReadAsTheyAre(OracleTable row) {
        ModelArchitecture architecture = architecture(row.get("config"));
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        assertThat(isExact(row, architecture, counted))
                .as(row.get("model") + ": " + counted)
                .isTrue();
        assertThat(kinds(architecture)).isEqualTo(row.get("kinds"));
    }

    /// The nine models that transformers does not know: seven follow from what was published of their families, two
    /// do not state the number of heads of their sliding layers.
    @Test
    void whatTransformersDoesNotKnowIsRightOrSaidToBeUnknown() {
        Map<String, String> found = new TreeMap<>();
        for (OracleTable row : rows("published-configs.csv")) {
            if (row.get("parameters").isEmpty()) {
                Reading<ParameterCount> counted = ParameterCount.of(architecture(row.get("config")));
                found.put(
                        row.get("model"),
                        counted instanceof Reading.Known<ParameterCount>(ParameterCount count, var _)
                                ? Long.toString(count.total())
                                : ((Reading.Unknown<ParameterCount>) counted).detail());
            }
        }
        // MiMo: 36 layers as Qwen 2. Kimi K2: DeepSeek 3 with 384 experts and 64 heads, published as 1.03 T. Kimi K3:
        // 92 layers of 896 experts of 3 x 3584 x 3072 are 2.72 T of them. DeepSeek 4 Pro is built as Flash, which
        // transformers counts.
        long patches = 1152 * 3 * 14 * 14 + 1152;
        long positions = 64 * 64 * 1152;
        long blocks = 27L * (4 * 1152 * 1152 + 4 * 1152 + 2 * 1152 * 4304 + 4304 + 1152 + 4 * 1152) + 2 * 1152;
        long projector = 2 * 1152 + 4608 * 4608 + 4608 + 4608 * 7168 + 7168;
        assertThat(found)
                .containsEntry("XiaomiMiMo--MiMo-7B-Base", "7622619136")
                .containsEntry("moonshotai--Kimi-K2-Instruct", "1026408232448")
                .containsEntry(
                        "nvidia--Kimi-K2.6-NVFP4",
                        Long.toString(1_026_408_232_448L + patches + positions + blocks + projector))
                .containsEntry("moonshotai--Kimi-K3", "2779484478208")
                .containsEntry("deepseek-ai--DeepSeek-V4-Pro", "1572997201763")
                .containsEntry("nvidia--DeepSeek-V4-Pro-NVFP4", "1572997201763")
                .containsEntry("sgl-project--DeepSeek-V4-Pro-FP8", "1572997201763");
        assertThat(found.get("stepfun-ai--Step-3.7-Flash")).contains("attention_other_setting");
        assertThat(found.get("stepfun-ai--Step-3.7-Flash-FP8")).contains("attention_other_setting");
        assertThat(found).hasSize(9);
    }

    @Test
    void familiesOfTransformersAreExactOrUnknownWithAReason() {
        int exact = 0;
        List<String> wrong = new ArrayList<>();
        for (OracleTable row : rows("transformers-families.csv")) {
            if (row.get("parameters").isEmpty()) {
                continue;
            }
            String family = row.get("family");
            ModelArchitecture architecture = architecture(row.get("config"));
            Reading<ParameterCount> counted = ParameterCount.of(architecture);
            if (isExact(row, architecture, counted)) {
                exact++;
            } else if (!isSaid(counted) && !OTHERWISE.containsKey(family)) {
                wrong.add(family + " " + counted);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(exact).isGreaterThanOrEqualTo(LEAST_EXACT);
    }

    @Test
    void kindsOfLayersAreThoseOfTransformers() {
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (OracleTable row : rows("transformers-families.csv")) {
            String said = row.get("layer_types");
            ModelArchitecture architecture =
                    said.isEmpty() ? ModelArchitecture.UNKNOWN : architecture(row.get("config"));
            if (!said.isEmpty()
                    && !OTHER_WORDS.contains(row.get("family"))
                    && ParameterCount.of(architecture).isKnown()) {
                compared++;
                String ours = kinds(architecture);
                if (!ours.equals(kinds(said))) {
                    wrong.add(row.get("family") + ": " + ours + ", not " + kinds(said));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(50);
    }

    /// The published files themselves, if they lie beside the checkout.
    @Test
    void realFilesAreReadAsTheyAre() throws IOException {
        Path folder = Need.recording("fixtures/configs");
        for (OracleTable row : OracleTable.parse(Files.readString(folder.resolve("INDEX.csv")))) {
            byte[] json = Files.readAllBytes(folder.resolve(row.get("config") + ".json"));
            ModelArchitecture architecture = HuggingFaceConfig.parse(json).architecture();
            Reading<ParameterCount> counted = ParameterCount.of(architecture);
            boolean isRight = row.get("parameters").isEmpty() || isExact(row, architecture, counted);
            assertThat(isRight).as(row.get("config") + ": " + counted).isTrue();
        }
    }

    /// Every counted model can be planned for: each tensor in each format, with text, images and sound apart.
    @Test
    void whatIsCountedHasWeightsInEveryFormat() {
        List<String> wrong = new ArrayList<>();
        for (String table : List.of("published-configs.csv", "transformers-families.csv")) {
            for (OracleTable row : rows(table)) {
                String json = row.get("config");
                ModelArchitecture architecture = json.isEmpty() ? ModelArchitecture.UNKNOWN : architecture(json);
                ParameterCount.of(architecture).find().ifPresent(count -> {
                    for (WeightFormat format : FORMATS) {
                        Reading<StoredWeights> weights = StoredWeights.of(architecture, format);
                        boolean isWhole =
                                weights.map(ConfigOracleTest::elements).find().equals(Optional.of(count.total()));
                        if (!isWhole) {
                            wrong.add(row.get("model") + row.get("family") + " in " + format.label() + ": "
                                    + weights.map(ConfigOracleTest::elements));
                        }
                    }
                    long senses = architecture.visionParameters().find().orElse(0L)
                            + architecture.audioParameters().find().orElse(0L);
                    long ofSenses = StoredWeights.of(architecture, StandardFormat.BF16)
                            .map(weights -> elements(new StoredWeights(weights.tensors().stream()
                                    .filter(stored -> isSense(stored.tensor().role()))
                                    .toList())))
                            .find()
                            .orElse(-1L);
                    assertThat(ofSenses)
                            .as(row.get("model") + row.get("family"))
                            .isEqualTo(senses);
                });
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static final List<WeightFormat> FORMATS = List.of(
            StandardFormat.BF16,
            StandardFormat.FP8,
            StandardFormat.AWQ_INT4,
            StandardFormat.NVFP4,
            StandardFormat.MXFP4,
            GgufFormat.Q4_K_M,
            GgufFormat.Q8_0);

    private static long elements(StoredWeights weights) {
        return weights.tensors().stream()
                .mapToLong(stored -> stored.tensor().elements())
                .sum();
    }

    private static boolean isSense(TensorRole role) {
        return role == TensorRole.VISION || role == TensorRole.AUDIO;
    }

    private static boolean isSaid(Reading<ParameterCount> counted) {
        return counted instanceof Reading.Unknown<ParameterCount>(var _, String detail) && !detail.isBlank();
    }

    /// With the vision part, or without it.
    private static boolean isExact(OracleTable row, ModelArchitecture architecture, Reading<ParameterCount> counted) {
        long all = Long.parseLong(row.get("parameters"));
        long text = Long.parseLong(row.get("parameters_without_vision"));
        long vision = architecture.visionParameters().find().orElse(0L);
        long total = counted.map(ParameterCount::total).find().orElse(-1L);
        boolean seesRight = all == text || vision == 0 || vision == all - text;
        return total >= 0 && seesRight && (isNear(total - vision, text) || isNear(total, all));
    }

    /// A router's bias is counted here and not there, so that a count may be a little larger, never smaller.
    private static boolean isNear(long count, long wanted) {
        return count >= wanted && count - wanted <= BUFFERS * wanted;
    }

    private static String kinds(ModelArchitecture architecture) {
        LayerKinds layers = LayerKinds.of(architecture);
        Map<String, Long> counts = new TreeMap<>();
        for (Mixer mixer : Mixer.values()) {
            if (layers.count(mixer) > 0) {
                counts.put(mixer.label(), layers.count(mixer));
            }
        }
        return text(counts);
    }

    private static String kinds(String said) {
        Map<String, Long> counts = new TreeMap<>();
        ((JsonObject) JsonValue.parse(said))
                .members()
                .forEach((word, count) -> counts.merge(
                        KINDS.getOrDefault(word, word), Long.parseLong(((JsonNumber) count).text()), Long::sum));
        return text(counts);
    }

    private static String text(Map<String, Long> counts) {
        List<String> parts = new ArrayList<>();
        counts.forEach((kind, count) -> parts.add(count + " " + kind));
        return String.join(" ", parts);
    }

    private static ModelArchitecture architecture(String json) {
        return HuggingFaceConfig.parse(json.getBytes(StandardCharsets.UTF_8)).architecture();
    }
}
