// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.model.CatalogueException;
import dev.muster.model.LayerKind;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.tensor.ParameterCount;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelCatalogueTest {
    private static final ModelCatalogue BUILT_IN = ModelCatalogue.builtIn();

    /// The sums of the publishers' own files, parameter for parameter, as lists of models and model cards state them.
    /// That of Llama 3.2 11B Vision is NVIDIA's, in the specification of the model; llmfit's list of 2026-03 has
    /// 10665463808 instead.
    @ParameterizedTest
    @CsvSource({
        "llama-3.1-8b, 8030261248",
        "llama-3.1-70b, 70553706496",
        "llama-3.1-405b, 405853388800",
        "llama-3.2-1b, 1235814400",
        "llama-3.2-3b, 3212749824",
        "llama-2-7b, 6738415616",
        "llama-2-13b, 13015864320",
        "llama-2-70b, 68976648192",
        "codellama-34b, 33743970304",
        "tinyllama-1.1b, 1100048384",
        "mistral-7b, 7241732096",
        "mistral-nemo-12b, 12247782400",
        "mistral-small-24b, 23572403200",
        "mistral-large-123b, 122610069504",
        "mixtral-8x7b, 46702792704",
        "qwen1.5-7b, 7721324544",
        "qwen2.5-0.5b, 494032768",
        "qwen2.5-1.5b, 1543714304",
        "qwen2.5-3b, 3085938688",
        "qwen2.5-7b, 7615616512",
        "qwen2.5-14b, 14770033664",
        "qwen2.5-32b, 32763876352",
        "qwen2.5-72b, 72706203648",
        "qwen3-0.6b, 596049920",
        "qwen3-8b, 8190735360",
        "qwen3-30b-a3b, 30532122624",
        "qwen3-235b-a22b, 235093634560",
        "gemma-2b, 2506172416",
        "gemma-7b, 8537680896",
        "gemma-2-2b, 2614341888",
        "gemma-2-9b, 9241705984",
        "gemma-2-27b, 27227128320",
        "phi-1.5, 1418270720",
        "phi-2, 2779683840",
        "phi-3-mini, 3821079552",
        "phi-4, 14659507200",
        "starcoder-15b, 15517456384",
        "starcoder2-3b, 3030371328",
        "gpt2-xl, 1557611200",
        "gpt-j-6b, 6050882784",
        "gpt-neox-20b, 20554567680",
        "bloom-176b, 176247271424",
        "bloomz-7b1, 7069016064",
        "mpt-7b, 6649286656",
        "falcon-7b, 6921720704",
        "falcon-40b, 41303293952",
        "baichuan2-7b, 7505973248",
        "chatglm3-6b, 6243584000",
        "command-r-35b, 34980831232",
        "deepseek-v2-lite, 15706484224",
        "deepseek-v3, 671026419200",
        "gpt-oss-20b, 20914757184",
        "gpt-oss-120b, 116829156672",
        "qwen2.5-vl-3b, 3754622976",
        "qwen2.5-vl-7b, 8292166656",
        "qwen2-0.5b, 494032768",
        "qwen2-1.5b, 1543714304",
        "qwen2-72b, 72706203648",
        "qwen1.5-0.5b, 619570176",
        "qwen1.5-1.8b, 1836828672",
        "qwen1.5-32b, 32512218112",
        "deepseek-v2.5, 235741434880",
        "deepseek-coder-6.7b, 6740512768",
        "glm-4-9b, 9399951360",
        "codestral-22b, 22247282688",
        "codellama-7b, 6738546688",
        "llama-13b, 13015864320",
        "llama-65b, 65285660672",
        "llama-3.2-11b-vision, 10670220835",
        "nemotron-nano-9b-v2, 8888227328",
        "granite-3.3-8b, 8170864640",
        "smollm2-135m, 134515008",
        "smollm-360m, 361821120",
        "lfm2-350m, 354483968",
        "lfm2-700m, 742489344",
        "lfm2-1.2b, 1170340608",
        "lfm2-2.6b, 2569272320",
        "lfm2.5-vl-1.6b, 1596625904",
        "seed-oss-36b, 36151104512",
        "olmoe-1b-7b, 6919161856",
        "olmo-2-32b, 32234279936",
        "olmo-3-7b, 7298011136",
        "exaone-4.0-32b, 32003216384",
        "exaone-4.0-1.2b, 1279391488",
        "nanbeige4.1-3b, 3933637120",
        "falcon3-7b, 7455550464",
        "salamandra-7b, 7768117248",
        "yi-1.5-6b, 6061035520",
        "yi-1.5-9b, 8829407232",
        "yi-1.5-34b, 34388917248",
        "stablelm-2-1.6b, 1644515328",
        "starcoder2-7b, 7173923840",
        "pythia-12b, 11846072320",
        "gpt2, 124439808"
    })
    void countsParametersAsPublished(String model, long parameters) {
        assertThat(BUILT_IN.find(model).orElseThrow().parameters().find()).contains(parameters);
    }

    /// Sizes that the publishers state rounded.
    @ParameterizedTest
    @CsvSource({"hy3-preview, 295e9", "laguna-xs.2, 33.4e9", "bamba-9b, 9.78e9", "solar-open-100b, 102.6e9"})
    void countsComeCloseToRoundedSizesOfPublishers(String model, double parameters) {
        assertThat(ParameterCount.of(BUILT_IN.find(model).orElseThrow().architecture())
                        .find()
                        .orElseThrow()
                        .total())
                .isCloseTo(Math.round(parameters), withinPercentage(0.2));
    }

    @ParameterizedTest
    @CsvSource({"laguna-xs.2, 10", "mellum2-12b-a2.5b, 7"})
    void layersWithAWindowAreToldFromThoseThatAttendToAll(String model, long full) {
        assertThat(BUILT_IN.find(model).orElseThrow().architecture().layers().stream()
                        .filter(layer -> layer.kind().mixer() == LayerKind.Mixer.FULL_ATTENTION))
                .hasSize((int) full);
    }

    @Test
    void rowsWithDefaultsOfAProgramSayThatTheConfigurationWasNotRead() {
        assertThat(BUILT_IN.entries())
                .filteredOn(entry -> entry.source().startsWith("defaults of"))
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.source()).contains("its own config.json was not read"));
    }

    @Test
    void everyRowIsWhole() {
        assertThat(BUILT_IN.entries()).hasSizeGreaterThan(1000);
        int sizeAlone = 0;
        int undated = 0;
        assertThat(new HashSet<>(BUILT_IN.ids())).hasSameSizeAs(BUILT_IN.entries());
        for (ModelEntry entry : BUILT_IN.entries()) {
            assertThat(entry.parameters().isKnown()).as(entry.id()).isTrue();
            assertThat(entry.activeParameters().find().orElseThrow())
                    .as(entry.id())
                    .isLessThanOrEqualTo(entry.parameters().find().orElseThrow());
            if (entry.kind() == ModelKind.TEXT_GENERATION && entry.source().contains("is not described here")) {
                assertThat(entry.architecture().doubt()).contains("give its folder or config.json");
                sizeAlone++;
            } else if (entry.kind() == ModelKind.TEXT_GENERATION) {
                assertThat(entry.architecture().find(ModelDimension.CONTEXT))
                        .as(entry.id())
                        .isPresent();
                assertThat(entry.architecture().layers()).as(entry.id()).isNotEmpty();
            }
            assertThat(entry.source()).isNotBlank();
            undated += entry.released().isBlank() || entry.licence().isBlank() ? 1 : 0;
        }
        // Names that people type, whose architecture is in no public table: known by name and size.
        assertThat(sizeAlone).isLessThan(BUILT_IN.entries().size() / 5);
        assertThat(undated).isLessThan(BUILT_IN.entries().size() / 5);
    }

    @Test
    void saysWhereACountIsOnlyThePublishedOneRounded() {
        assertThat(BUILT_IN.find("llama-4-scout").orElseThrow().parameters())
                .satisfies(reading -> assertThat(reading)
                        .isInstanceOfSatisfying(
                                Reading.Known.class,
                                known -> assertThat(known.provenance().confidence())
                                        .isEqualTo(Provenance.Confidence.ASSUMED)));
    }

    @ParameterizedTest
    @CsvSource({
        "llama-3.1-8b, llama-3.1-8b",
        "Llama 3.1 8B, llama-3.1-8b",
        "meta-llama/Llama-3.1-8B-Instruct, llama-3.1-8b",
        "Qwen/Qwen2.5-7B, qwen2.5-7b",
        "QWEN3_30B_A3B, qwen3-30b-a3b",
        "gpt-oss-20b, gpt-oss-20b",
        "mistralai/Mixtral-8x7B-Instruct, mixtral-8x7b"
    })
    void findsAModelHoweverItsNameIsWritten(String name, String id) {
        assertThat(BUILT_IN.find(name)).map(ModelEntry::id).contains(id);
    }

    @ParameterizedTest
    @CsvSource({"llama", "8b", "''", "-", "llama-9-8b"})
    void guessesNothing(String name) {
        assertThat(BUILT_IN.find(name)).isEmpty();
    }

    @Test
    void aTableOfOnesOwnExtendsAndReplaces() {
        ModelCatalogue own = ModelCatalogue.parse("""
                model_id,params_total_b,source,date
                our-model,12.5,in-house,2026-11-01
                llama-3.1-8b,9,in-house,2026-11-01
                """);
        ModelCatalogue both = BUILT_IN.with(own);
        assertThat(both.find("our-model").orElseThrow().parameters().find()).contains(12_500_000_000L);
        assertThat(both.find("llama-3.1-8b").orElseThrow().parameters().find()).contains(9_000_000_000L);
        assertThat(both.entries()).hasSize(BUILT_IN.entries().size() + 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model_id,params_total_b,source | column 'date' is missing",
                "model_id,params_total_b,source,date,colour | unknown column 'colour'"
            })
    void saysWhatIsWrongWithATable(String header, String words) {
        assertThatExceptionOfType(CatalogueException.class)
                .isThrownBy(() -> ModelCatalogue.parse(header + "\n"))
                .withMessageContaining(words);
    }
}
