// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelQuantization;
import dev.muster.model.tensor.ParameterCount;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Configurations with the values of published ones, in the words of their families.
class HuggingFaceConfigTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,\
            "num_hidden_layers":32,"num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":false} | 8030261248
            {"model_type":"qwen2","hidden_size":3584,"intermediate_size":18944,"num_attention_heads":28,\
            "num_hidden_layers":28,"num_key_value_heads":4,"vocab_size":152064,"use_sliding_window":false,\
            "sliding_window":131072,"tie_word_embeddings":false} | 7615616512
            {"model_type":"gemma2","hidden_size":2304,"head_dim":256,"intermediate_size":9216,\
            "num_attention_heads":8,"num_hidden_layers":26,"num_key_value_heads":4,"sliding_window":4096,\
            "vocab_size":256000} | 2614341888
            {"model_type":"deepseek_v3","hidden_size":7168,"intermediate_size":18432,"kv_lora_rank":512,\
            "q_lora_rank":1536,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,\
            "moe_intermediate_size":2048,"moe_layer_freq":1,"n_routed_experts":256,"n_shared_experts":1,\
            "num_experts_per_tok":8,"first_k_dense_replace":3,"num_attention_heads":128,"num_hidden_layers":61,\
            "num_key_value_heads":128,"vocab_size":129280,"tie_word_embeddings":false} | 671026419200
            {"model_type":"mixtral","hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,\
            "num_experts_per_tok":2,"num_hidden_layers":32,"num_key_value_heads":8,"num_local_experts":8,\
            "vocab_size":32000,"tie_word_embeddings":false} | 46702792704
            {"model_type":"qwen3_moe","head_dim":128,"hidden_size":2048,"intermediate_size":6144,\
            "moe_intermediate_size":768,"num_attention_heads":32,"num_experts":128,"num_experts_per_tok":8,\
            "num_hidden_layers":48,"num_key_value_heads":4,"decoder_sparse_step":1,"vocab_size":151936,\
            "tie_word_embeddings":false} | 30532122624
            {"model_type":"gpt2","n_embd":1600,"n_head":25,"n_layer":48,"n_positions":1024,"vocab_size":50257} | 1557611200
            {"model_type":"falcon","hidden_size":4544,"multi_query":true,"new_decoder_architecture":false,\
            "num_attention_heads":71,"num_hidden_layers":32,"vocab_size":65024} | 6921720704
            {"model_type":"bloom","hidden_size":14336,"n_head":112,"n_layer":70,"vocab_size":250880} | 176247271424
            {"model_type":"gpt_oss","head_dim":64,"hidden_size":2880,"intermediate_size":2880,\
            "num_attention_heads":64,"num_experts_per_tok":4,"num_hidden_layers":24,"num_key_value_heads":8,\
            "num_local_experts":32,"vocab_size":201088,"sliding_window":128,"tie_word_embeddings":false,\
            "layer_types":["sliding_attention","full_attention"]} | 20914757184
            {"model_type":"starcoder2","hidden_size":3072,"intermediate_size":12288,"num_attention_heads":24,\
            "num_hidden_layers":30,"num_key_value_heads":2,"vocab_size":49152} | 3030371328
            {"model_type":"phi","hidden_size":2560,"intermediate_size":10240,"num_attention_heads":32,\
            "num_hidden_layers":32,"vocab_size":51200,"tie_word_embeddings":false} | 2779683840
            """)
    void countsWhatIsPublished(String json, long parameters) {
        assertThat(ParameterCount.of(architecture(json)).find().orElseThrow().total())
                .isEqualTo(parameters);
    }

    @Test
    void takesTheTextPartOfModelsThatAlsoSee() {
        ModelArchitecture architecture = architecture("""
                {"model_type":"gemma3","vision_config":{"num_hidden_layers":27,"hidden_size":1152},
                 "text_config":{"model_type":"gemma3_text","num_hidden_layers":34,"hidden_size":2560,
                 "sliding_window":1024,"sliding_window_pattern":6}}""");
        assertThat(architecture.find(ModelDimension.LAYERS)).hasValue(34);
        assertThat(architecture.find(ModelDimension.SLIDING_WINDOW)).hasValue(1024);
        assertThat(architecture.find(ModelDimension.FULL_ATTENTION_STEP)).hasValue(6);
        assertThat(architecture.family().find()).contains("gemma3_text");
    }

    @ParameterizedTest
    @CsvSource({"100000000000000000, ''", "1000000000000000000, how wide the block of layer 0 is"})
    void widthsOfBlocksHaveAtMost18Digits(String width, String doubt) {
        ModelArchitecture architecture = architecture("{\"model_type\":\"llama\",\"num_hidden_layers\":1,"
                + "\"num_attention_heads\":8,\"block_configs\":[{\"attention\":{\"n_heads_in_group\":8},"
                + "\"ffn\":{\"intermediate_size\":" + width + "}}]}");
        assertThat(architecture.doubt()).endsWith(doubt);
        assertThat(architecture.doubt().isEmpty()).isEqualTo(doubt.isEmpty());
    }

    @Test
    void takesThePartsThatDbrxHas() {
        ModelArchitecture architecture = architecture("""
                {"model_type":"dbrx","d_model":6144,"n_heads":48,"n_layers":40,"attn_config":{"kv_n_heads":8},
                 "ffn_config":{"ffn_hidden_size":10752,"moe_num_experts":16,"moe_top_k":4}}""");
        assertThat(architecture.find(ModelDimension.KV_HEADS)).hasValue(8);
        assertThat(architecture.find(ModelDimension.EXPERTS)).hasValue(16);
        assertThat(architecture.find(ModelDimension.ACTIVE_EXPERTS)).hasValue(4);
        assertThat(architecture.find(ModelDimension.EXPERT_FEED_FORWARD_SIZE)).hasValue(10752);
    }

    @Test
    void aWindowThatIsSwitchedOffIsNone() {
        assertThat(architecture("{\"sliding_window\":4096,\"use_sliding_window\":false}")
                        .find(ModelDimension.SLIDING_WINDOW))
                .isEmpty();
        assertThat(architecture("{\"sliding_window\":4096,\"layer_types\":[\"full_attention\"]}")
                        .find(ModelDimension.SLIDING_WINDOW))
                .isEmpty();
        assertThat(architecture("{\"sliding_window\":null}").find(ModelDimension.SLIDING_WINDOW))
                .isEmpty();
    }

    @Test
    void readsLayersThatKeepAState() {
        ModelArchitecture qwen = architecture("""
                {"model_type":"qwen3_5","text_config":{"model_type":"qwen3_5_text","num_hidden_layers":4,
                 "layer_types":["linear_attention","linear_attention","linear_attention","full_attention"],
                 "linear_num_value_heads":48,"linear_num_key_heads":16,"linear_key_head_dim":128,
                 "linear_value_head_dim":128,"linear_conv_kernel_dim":4}}""");
        assertThat(qwen.hasStates()).isTrue();
        assertThat(LayerKinds.of(qwen).count(Mixer.STATE)).isEqualTo(3);
        ModelArchitecture nemotron = architecture("""
                {"model_type":"nemotron_h","num_hidden_layers":5,"hybrid_override_pattern":"MEM*E",
                 "mamba_num_heads":64,"mamba_head_dim":64,"n_groups":8,"ssm_state_size":128,"conv_kernel":4}""");
        assertThat(nemotron.layerPattern().find()).contains("MEM*E");
        assertThat(LayerKinds.of(nemotron).count(Mixer.STATE)).isEqualTo(2);
        assertThat(nemotron.find(ModelDimension.STATE_KEY_SIZE)).hasValue(128);
    }

    @ParameterizedTest
    @CsvSource({"MEM*", "MEM*X", "MEM*EM"})
    void aPatternThatDoesNotFitIsNotTaken(String pattern) {
        assertThat(architecture("{\"num_hidden_layers\":5,\"hybrid_override_pattern\":\"" + pattern + "\"}")
                        .layerPattern()
                        .isKnown())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"quant_method":"gptq","bits":4,"group_size":128} | gptq | 4 | 128
            {"quant_method":"awq","w_bit":4} | awq | 4 | 0
            {"quant_method":"fp8","weight_block_size":[128,128]} | fp8 | 8 | 0
            {"quant_method":"mxfp4"} | mxfp4 | 4 | 0
            {"load_in_4bit":true,"quant_method":"bitsandbytes"} | bitsandbytes | 4 | 0
            {"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"group_size":64}}}}\
             | compressed-tensors | 8 | 64
            {"quant_method":"hqq"} | hqq | 0 | 0
            {"quant_method":"gptq","bits":-4} | gptq | 0 | 0
            """)
    void readsHowWeightsWereQuantized(String json, String method, int bits, int group) {
        assertThat(architecture("{\"quantization_config\":" + json + "}")
                        .quantization()
                        .find())
                .contains(new ModelQuantization(method, number(bits), number(group)));
    }

    private static OptionalInt number(int value) {
        return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
    }

    @Test
    void whatIsNoNumberIsNotTaken() {
        ModelArchitecture architecture = architecture(
                "{\"num_key_value_heads\":-1,\"hidden_size\":4096.5,\"num_attention_heads\":\"32\",\"vocab_size\":1e3}");
        for (ModelDimension dimension : ModelDimension.values()) {
            assertThat(architecture.find(dimension)).as(dimension.key()).isEmpty();
        }
    }

    private static ModelArchitecture architecture(String json) {
        return HuggingFaceConfig.parse(json.getBytes(StandardCharsets.UTF_8)).architecture();
    }

    @Test
    void whatNoModelHasIsRefusedInOneSentence() {
        assertThatThrownBy(() -> architecture("{\"num_hidden_layers\":0,\"hidden_size\":64}"))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("'config.json' says that the model has 0 as num_hidden_layers; there is at least 1");
        assertThatThrownBy(() -> architecture("{\"num_hidden_layers\":-3,\"hidden_size\":64}"))
                .isInstanceOf(CheckpointException.class)
                .hasMessage(
                        "'config.json' says that the model has less than 0 as num_hidden_layers; there is at least 1");
        assertThatThrownBy(() -> architecture("{\"num_local_experts\":8,\"num_experts_per_tok\":99}"))
                .isInstanceOf(CheckpointException.class)
                .hasMessage("'config.json' sends each token to 99 experts, and has 8");
    }
}
