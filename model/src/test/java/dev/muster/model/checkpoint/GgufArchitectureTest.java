// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.ModelDimension.ACTIVE_EXPERTS;
import static dev.muster.model.ModelDimension.CONTEXT;
import static dev.muster.model.ModelDimension.DENSE_LAYERS;
import static dev.muster.model.ModelDimension.EXPERTS;
import static dev.muster.model.ModelDimension.EXPERT_FEED_FORWARD_SIZE;
import static dev.muster.model.ModelDimension.EXPERT_LAYER_STEP;
import static dev.muster.model.ModelDimension.FEED_FORWARD_SIZE;
import static dev.muster.model.ModelDimension.HEADS;
import static dev.muster.model.ModelDimension.HEAD_SIZE;
import static dev.muster.model.ModelDimension.HIDDEN_SIZE;
import static dev.muster.model.ModelDimension.KV_HEADS;
import static dev.muster.model.ModelDimension.KV_RANK;
import static dev.muster.model.ModelDimension.LAYERS;
import static dev.muster.model.ModelDimension.PLAIN_HEAD_SIZE;
import static dev.muster.model.ModelDimension.QUERY_RANK;
import static dev.muster.model.ModelDimension.ROPE_HEAD_SIZE;
import static dev.muster.model.ModelDimension.SHARED_EXPERTS;
import static dev.muster.model.ModelDimension.SHARED_FEED_FORWARD_SIZE;
import static dev.muster.model.ModelDimension.SLIDING_WINDOW;
import static dev.muster.model.ModelDimension.VALUE_HEAD_SIZE;
import static dev.muster.model.ModelDimension.VOCABULARY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelQuantization;
import dev.muster.model.tensor.GgufType;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufArchitectureTest {
    private static final Provenance STATED =
            Provenance.of("model.gguf", Provenance.Method.FILE, Provenance.Confidence.STATED);
    private static final Provenance DERIVED =
            Provenance.of("model.gguf", Provenance.Method.DERIVED, Provenance.Confidence.STATED);

    @TempDir
    private Path folder;

    private ModelArchitecture read(GgufFile file) {
        return file.read(folder).architecture();
    }

    private static GgufFile family(String name) {
        return GgufFile.create().text("general.architecture", name);
    }

    @Test
    void readsADenseModel() {
        ModelArchitecture model = read(GgufFile.create().llama().number("llama.context_length", 8192));

        assertThat(model.family()).isEqualTo(Reading.known("llama", STATED));
        assertThat(model.dimension(LAYERS)).isEqualTo(Reading.known(2L, STATED));
        assertThat(model.find(HIDDEN_SIZE)).hasValue(64);
        assertThat(model.find(HEADS)).hasValue(4);
        assertThat(model.find(KV_HEADS)).hasValue(2);
        assertThat(model.find(CONTEXT)).hasValue(8192);
        assertThat(model.dimension(HEAD_SIZE)).isEqualTo(Reading.known(16L, DERIVED));
        assertThat(model.dimension(VOCABULARY)).isEqualTo(Reading.known(3L, DERIVED));
        assertThat(model.quantization()).isEqualTo(Reading.known(ModelQuantization.of("Q4_K_M"), STATED));
        assertThat(model.hasExperts()).isFalse();
        assertThat(model.hasLatentAttention()).isFalse();
    }

    @Test
    void readsExperts() {
        ModelArchitecture model = read(family("qwen2moe")
                .number("qwen2moe.expert_count", 60)
                .number("qwen2moe.expert_used_count", 4)
                .number("qwen2moe.expert_shared_count", 1)
                .number("qwen2moe.expert_feed_forward_length", 1408)
                .number("qwen2moe.expert_shared_feed_forward_length", 5632)
                .number("qwen2moe.leading_dense_block_count", 1)
                .number("qwen2moe.interleave_moe_layer_step", 2)
                .number("qwen2moe.feed_forward_length", 5632)
                .number("qwen2moe.vocab_size", 151_936));

        assertThat(model.find(EXPERTS)).hasValue(60);
        assertThat(model.find(ACTIVE_EXPERTS)).hasValue(4);
        assertThat(model.find(SHARED_EXPERTS)).hasValue(1);
        assertThat(model.find(EXPERT_FEED_FORWARD_SIZE)).hasValue(1408);
        assertThat(model.find(SHARED_FEED_FORWARD_SIZE)).hasValue(5632);
        assertThat(model.find(DENSE_LAYERS)).hasValue(1);
        assertThat(model.find(EXPERT_LAYER_STEP)).hasValue(2);
        assertThat(model.find(FEED_FORWARD_SIZE)).hasValue(5632);
        assertThat(model.dimension(VOCABULARY)).isEqualTo(Reading.known(151_936L, STATED));
    }

    @Test
    void readsLatentAttentionOfNewFiles() {
        ModelArchitecture model = read(family("deepseek2")
                .number("deepseek2.attention.head_count", 128)
                .number("deepseek2.attention.head_count_kv", 1)
                .number("deepseek2.attention.kv_lora_rank", 512)
                .number("deepseek2.attention.q_lora_rank", 1536)
                .number("deepseek2.attention.key_length", 576)
                .number("deepseek2.attention.value_length", 512)
                .number("deepseek2.attention.key_length_mla", 192)
                .number("deepseek2.attention.value_length_mla", 128)
                .number("deepseek2.rope.dimension_count", 64));

        assertThat(model.find(KV_RANK)).hasValue(512);
        assertThat(model.find(QUERY_RANK)).hasValue(1536);
        assertThat(model.find(HEAD_SIZE)).hasValue(192);
        assertThat(model.find(ROPE_HEAD_SIZE)).hasValue(64);
        assertThat(model.dimension(PLAIN_HEAD_SIZE)).isEqualTo(Reading.known(128L, DERIVED));
        assertThat(model.find(VALUE_HEAD_SIZE)).hasValue(128);
    }

    @Test
    void readsLatentAttentionOfOldFiles() {
        ModelArchitecture model = read(family("deepseek2")
                .number("deepseek2.attention.kv_lora_rank", 512)
                .number("deepseek2.attention.key_length", 192)
                .number("deepseek2.attention.value_length", 128)
                .number("deepseek2.rope.dimension_count", 64));

        assertThat(model.find(HEAD_SIZE)).hasValue(192);
        assertThat(model.find(PLAIN_HEAD_SIZE)).hasValue(128);
        assertThat(model.find(VALUE_HEAD_SIZE)).hasValue(128);
    }

    @Test
    void rotatedPartsMatterOnlyWithLatentAttention() {
        ModelArchitecture model = read(GgufFile.create().llama().number("llama.rope.dimension_count", 16));

        assertThat(model.find(ROPE_HEAD_SIZE)).isEmpty();
    }

    @Test
    void valuesAreNamedOnlyWhereTheyAreWiderOrNarrowerThanKeys() {
        GgufFile same = family("a").number("a.attention.key_length", 128).number("a.attention.value_length", 128);
        GgufFile other = family("a").number("a.attention.key_length", 128).number("a.attention.value_length", 64);

        assertThat(read(same).find(HEAD_SIZE)).hasValue(128);
        assertThat(read(same).find(VALUE_HEAD_SIZE)).isEmpty();
        assertThat(read(other).find(VALUE_HEAD_SIZE)).hasValue(64);
    }

    @Test
    void layersThatAreAlikeMayBeListedOneByOne() {
        ModelArchitecture model = read(family("a")
                .number("a.embedding_length", 64)
                .numbers("a.attention.head_count", GgufInput.ValueType.INT32, 8, 8, 8)
                .numbers("a.attention.head_count_kv", GgufInput.ValueType.UINT32, 2, 2, 2));

        assertThat(model.find(HEADS)).hasValue(8);
        assertThat(model.find(KV_HEADS)).hasValue(2);
        assertThat(model.find(HEAD_SIZE)).hasValue(8);
    }

    @Test
    void layersThatDifferHaveNoCommonNumber() {
        ModelArchitecture model = read(family("a")
                .number("a.embedding_length", 64)
                .numbers("a.attention.head_count", GgufInput.ValueType.INT32, 8, 16)
                .numbers("a.attention.head_count_kv", GgufInput.ValueType.INT32, 0, 8)
                .numbers("a.feed_forward_length", GgufInput.ValueType.INT32, 1, 2));

        assertThat(model.dimension(KV_HEADS))
                .isEqualTo(Reading.unknown(
                        UnknownReason.CONFLICTING, "a.attention.head_count_kv differs from layer to layer"));
        assertThat(model.find(HEADS)).isEmpty();
        assertThat(model.find(HEAD_SIZE)).isEmpty();
        assertThat(model.find(FEED_FORWARD_SIZE)).isEmpty();
    }

    @Test
    void whatIsNoCountStaysUnknown() {
        ModelArchitecture model = read(family("a")
                .text("a.block_count", "many")
                .number("a.embedding_length", GgufInput.ValueType.INT32, -1)
                .number("a.context_length", GgufInput.ValueType.FLOAT32, 0)
                .number("a.expert_count", GgufInput.ValueType.UINT64, -1));

        assertThat(model.dimension(LAYERS))
                .isEqualTo(Reading.unknown(UnknownReason.UNREADABLE, "a.block_count is not a count"));
        assertThat(model.find(HIDDEN_SIZE)).isEmpty();
        assertThat(model.find(CONTEXT)).isEmpty();
        assertThat(model.find(EXPERTS)).isEmpty();
    }

    @Test
    void numbersMayHaveAnyWidth() {
        ModelArchitecture model = read(family("a")
                .number("a.block_count", GgufInput.ValueType.UINT8, 200)
                .number("a.attention.head_count", GgufInput.ValueType.UINT16, 60_000)
                .number("a.context_length", GgufInput.ValueType.UINT64, 1L << 40)
                .number("a.vocab_size", GgufInput.ValueType.INT64, 7));

        assertThat(model.find(LAYERS)).hasValue(200);
        assertThat(model.find(HEADS)).hasValue(60_000);
        assertThat(model.find(CONTEXT)).hasValue(1L << 40);
        assertThat(model.find(VOCABULARY)).hasValue(7);
    }

    @Test
    void everyHeadHasItsOwnKeysWhereNothingElseIsSaid() {
        GgufFile file = family("gpt2").number("gpt2.attention.head_count", 12);

        assertThat(read(file).dimension(KV_HEADS)).isEqualTo(Reading.known(12L, DERIVED));
    }

    @Test
    void aWindowOfNothingIsNoWindow() {
        assertThat(read(family("a").number("a.attention.sliding_window", 0)).find(SLIDING_WINDOW))
                .isEmpty();
        assertThat(read(family("a").number("a.attention.sliding_window", 1024)).find(SLIDING_WINDOW))
                .hasValue(1024);
    }

    @Test
    void keysMayComeBeforeTheArchitectureAndItsNameMayHaveDots() {
        GgufFile file = GgufFile.create()
                .number("bailing2.5.block_count", 32)
                .number("bailing2.block_count", 1)
                .text("general.architecture", "bailing2.5");

        assertThat(read(file).find(LAYERS)).hasValue(32);
    }

    @Test
    void embeddingsAreTiedWithoutATensorForTheOutput() {
        GgufFile tied = GgufFile.create().llama();
        GgufFile untied = GgufFile.create().llama().tensor("output.weight", GgufType.F16, 3, 64);

        assertThat(read(tied).tiedEmbeddings()).isEqualTo(Reading.known(true, DERIVED));
        assertThat(read(untied).tiedEmbeddings()).isEqualTo(Reading.known(false, DERIVED));
    }

    @Test
    void plainFileTypesAreNoQuantization() {
        for (long id : new long[] {0, 1, 32, 999}) {
            assertThat(read(family("a").number("general.file_type", id))
                            .quantization()
                            .isKnown())
                    .isFalse();
        }
    }
}
