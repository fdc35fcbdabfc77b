// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelSummary;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelNameTest {
    private static final ModelCatalogue CATALOGUE = ModelCatalogue.builtIn();

    /// Repositories of the Hub, tags of Ollama and llama.cpp, and file names.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-32B-AWQ, qwen3-32b, awq-int4",
        "Qwen/Qwen3-30B-A3B-GPTQ-Int4, qwen3-30b-a3b, gptq-int4",
        "Qwen/Qwen2.5-72B-Instruct-GPTQ-Int8, qwen2.5-72b, int8",
        "Qwen/Qwen3-30B-A3B-Instruct-2507-FP8, qwen3-30b-a3b-2507, fp8",
        "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8, qwen3-coder-480b-a35b, fp8",
        "nvidia/Qwen3-32B-FP4, qwen3-32b, nvfp4",
        "nvidia/DeepSeek-V3.2-NVFP4, deepseek-v3.2, nvfp4",
        "nvidia/Llama-3.1-70B-Instruct-FP8, llama-3.1-70b, fp8",
        "neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8-dynamic, llama-3.1-8b, fp8",
        "RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w4a16, llama-3.1-70b, awq-int4",
        "RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w8a8, llama-3.1-70b, int8",
        "unsloth/Qwen3-32B-GGUF, qwen3-32b, q4_k_m",
        "unsloth/Qwen3-32B-GGUF:Q5_K_M, qwen3-32b, q5_k_m",
        "unsloth/Qwen3-32B-GGUF:UD-Q4_K_XL, qwen3-32b, q4_k_m",
        "hf.co/bartowski/Qwen_Qwen3-32B-GGUF:Q6_K, qwen3-32b, q6_k",
        "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF, llama-3.1-8b, q4_k_m",
        "https://huggingface.co/bartowski/google_gemma-3-27b-it-GGUF, gemma-3-27b, q4_k_m",
        "google/gemma-3-27b-it-qat-q4_0-gguf, gemma-3-27b, q4_0",
        "unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit, llama-3.1-8b, nf4",
        "unsloth/Qwen3-14B-unsloth-bnb-4bit, qwen3-14b, nf4",
        "mlx-community/Qwen3-32B-4bit, qwen3-32b, q4_0",
        "mlx-community/Llama-3.3-70B-Instruct-8bit, llama-3.3-70b, q8_0",
        "lmstudio-community/gpt-oss-20b-GGUF, gpt-oss-20b, q4_k_m",
        "Intel/DeepSeek-R1-0528-int4-AutoRound, deepseek-r1-0528, gptq-int4",
        "unsloth/DeepSeek-V3-bf16, deepseek-v3,",
        "unsloth/gpt-oss-20b-BF16, gpt-oss-20b,",
        "deepseek-ai/DeepSeek-V3-0324, deepseek-v3-0324, fp8",
        "openai/gpt-oss-120b, gpt-oss-120b, mxfp4",
        "meta-llama/Llama-3.1-8B-Instruct, llama-3.1-8b,",
        "unsloth/Llama-3.2-3B-Instruct, llama-3.2-3b,",
        "mistralai/Mistral-7B-Instruct-v0.2, mistral-7b-v0.2,",
        "mistralai/Mistral-7B-Instruct-v0.3, mistral-7b-v0.3,",
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506, mistral-small-3.2-24b,",
        "moonshotai/Kimi-K2-Instruct-0905, kimi-k2-0905, fp8",
        "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B, deepseek-r1-distill-qwen-32b,",
        "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-FP8, nemotron-3-nano-30b-a3b, fp8",
        "zai-org/GLM-4.6-FP8, glm-4.6, fp8",
        "llama3.1:8b, llama-3.1-8b,",
        "gemma3:27b, gemma-3-27b,",
        "qwen3-coder, qwen3-coder-30b-a3b,",
        "deepseek-v4, deepseek-v4-pro, mxfp4",
        "qwen3-next, qwen3-next-80b-a3b,"
    })
    void aNameMeansAModelAndAFormat(String name, String id, @Nullable String format) {
        ModelName found = ModelName.resolve(name, CATALOGUE).orElseThrow();
        assertThat(found.entry().id()).isEqualTo(id);
        assertThat(found.findFormat().map(WeightFormat::label).orElse(null)).isEqualTo(format);
    }

    /// Fine-tunes of a model that their name begins with; behind the bar a draft model, a head or a pruned one is not.
    @ParameterizedTest
    @CsvSource({
        "AEON-7/Qwen3.6-27B-AEON-Ultimate-Uncensored-NVFP4, qwen3.6-27b, nvfp4",
        "huihui-ai/Huihui-Qwen3.6-27B-abliterated, qwen3.6-27b,",
        "HauhauCS/Gemma-4-E2B-Uncensored-HauhauCS-Aggressive, gemma-4-e2b,",
        "Jackrong/Qwen3.5-9B-Claude-4.6-Opus-Reasoning-Distilled-GGUF, qwen3.5-9b, q4_k_m",
        "bartowski/zai-org_GLM-4.5-Air-Own-GGUF,,",
        "z-lab/Qwen3.6-27B-DFlash,,",
        "google/gemma-4-12B-it-assistant,,",
        "nvidia/gpt-oss-120b-Eagle3,,",
        "cerebras/Qwen3-Coder-30B-A3B-REAP-25B,,",
        "allenai/Molmo-7B-X,,",
        "Qwen3-33B-Own,,"
    })
    void aFineTuneIsNamedAfterAModel(String name, @Nullable String id, @Nullable String format) {
        assertThat(ModelName.resolve(name, CATALOGUE)).isEmpty();
        Optional<ModelSummary> found = ModelName.resolveFineTune(name, CATALOGUE);
        assertThat(found.map(ModelSummary::name).orElse(null)).isEqualTo(id);
        assertThat(found.map(ModelSummary::isFineTune).orElse(true)).isTrue();
        assertThat(found.flatMap(model -> WeightFormat.findPublished(model.architecture()))
                        .map(WeightFormat::label)
                        .orElse(null))
                .isEqualTo(format);
        assertThat(found.map(ModelSummary::source).orElse(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NousResearch/Nobodys-Llama-3.1-8B",
                "AWQ",
                "unsloth/GGUF",
                "Qwen/Qwen3-33B-AWQ",
                "-it",
                "2507",
                "hf.co/",
                "instruct"
            })
    void guessesNothing(String name) {
        assertThat(ModelName.resolve(name, CATALOGUE)).isEmpty();
    }

    /// Names as people type them; `|?` behind those that are ambiguous, of which the likeliest comes first.
    @Test
    void namesOfEveryDayAreFound() {
        CsvTable names = CsvTable.parse(CsvTable.resource(ModelNameTest.class, "names.csv"));
        List<String> wrong = new ArrayList<>();
        for (CsvRow row : names.rows()) {
            String name = row.require("name");
            List<String> meant =
                    CATALOGUE.listMeant(name).stream().map(ModelEntry::id).toList();
            String found = meant.isEmpty() ? "-" : meant.getFirst() + (meant.size() > 1 ? "|?" : "");
            if (!found.equals(row.require("model"))) {
                wrong.add(name + ": " + meant);
            }
        }
        assertThat(names.rows()).hasSizeGreaterThan(580);
        assertThat(wrong).isEmpty();
    }

    /// Unknown names get the nearest models, those of the same family first.
    @ParameterizedTest
    @CsvSource({
        "qwen3-max, qwen3",
        "Qwen/Qwen3-33B-AWQ, qwen3",
        "nvidia/Llama-3.1-Nemotron-Nano-5B, llama-3.1-nemotron-nano-4b",
        "lama-3.1-8b, llama-3.1-8b",
        "granite-4.0-h-large, granite-4.0-h",
        "minimax-m4, minimax-m"
    })
    void unknownNamesGetTheNearest(String name, String start) {
        assertThat(CATALOGUE.listMeant(name)).isEmpty();
        assertThat(CATALOGUE.listAlike(name)).first().asString().startsWith(start);
    }

    /// Engines load the repository that was given, not another one of the model.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-32B-AWQ, Qwen/Qwen3-32B-AWQ",
        "unsloth/Qwen3-32B-GGUF:Q5_K_M, unsloth/Qwen3-32B-GGUF",
        "https://huggingface.co/Qwen/Qwen3-32B, Qwen/Qwen3-32B",
        "qwen3-32b, Qwen/Qwen3-32B",
        "gpt3-175b,"
    })
    void theRepositoryIsTheOneThatWasNamed(String name, @Nullable String repository) {
        assertThat(ModelName.resolve(name, CATALOGUE)
                        .orElseThrow()
                        .findRepository()
                        .orElse(null))
                .isEqualTo(repository);
    }

    @Test
    void aPartOfANameIsSuggestedBeforeASpelling() {
        assertThat(CATALOGUE.listAlike("ministral-3"))
                .containsExactly("ministral-3-8b", "ministral-3-14b", "ministral-3-3b");
        assertThat(CATALOGUE.listAlike("Qwen/Qwen2.5-Coder-AWQ"))
                .hasSize(3)
                .allMatch(id -> id.startsWith("qwen2.5-coder"));
        assertThat(CATALOGUE.listAlike("lama-3.1-8b")).startsWith("llama-3.1-8b");
        assertThat(CATALOGUE.listAlike("zzzzzz")).isEmpty();
    }
}
