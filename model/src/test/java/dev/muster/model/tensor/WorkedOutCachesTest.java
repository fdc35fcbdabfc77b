// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.memory.KvCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// KV caches of architectures of all kinds, worked out by hand. All keys and values have 2 bytes; states have 4 bytes
/// a number. Each row has the configuration, the arithmetic of one more token while no window is full, the length of
/// a sequence, and the arithmetic of all of it.
class WorkedOutCachesTest {
    private static final Formula.Scope NO_NAMES = new Formula.Scope() {
        @Override
        public OptionalLong find(String name) {
            return OptionalLong.empty();
        }

        @Override
        public List<Long> list(String name) {
            return List.of();
        }
    };

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # Full attention: layers x keys and values x KV heads x head size x bytes.
            llama-3.1-8b | {"model_type":"llama","num_hidden_layers":32,"hidden_size":4096,"num_attention_heads":32,\
            "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256} \
            | 32*2*8*128*2 | 131072 | 131072*32*2*8*128*2 | 17179869184

            gpt2, every head its own | {"model_type":"gpt2","n_layer":12,"n_embd":768,"n_head":12,"vocab_size":50257} \
            | 12*2*12*64*2 | 1024 | 1024*12*2*12*64*2 | 37748736

            falcon-7b, one KV head | {"model_type":"falcon","hidden_size":4544,"multi_query":true,\
            "new_decoder_architecture":false,"num_attention_heads":71,"num_hidden_layers":32,"vocab_size":65024} \
            | 32*2*1*64*2 | 2048 | 2048*32*2*1*64*2 | 16777216

            # Sliding attention: no more than the window.
            mistral-7b | {"model_type":"mistral","num_hidden_layers":32,"hidden_size":4096,"num_attention_heads":32,\
            "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":32000,"sliding_window":4096} \
            | 32*2*8*128*2 | 100000 | 4096*32*2*8*128*2 | 536870912

            # Every other layer slides.
            gemma-2-2b | {"model_type":"gemma2","num_hidden_layers":26,"hidden_size":2304,"head_dim":256,\
            "num_attention_heads":8,"num_key_value_heads":4,"intermediate_size":9216,"sliding_window":4096} \
            | 26*2*4*256*2 | 8192 | (13*8192+13*4096)*2*4*256*2 | 654311424

            # Every sixth of 62 layers is full, which makes 10; their number does not divide 62.
            gemma-3-27b | {"model_type":"gemma3","text_config":{"model_type":"gemma3_text","num_hidden_layers":62,\
            "hidden_size":5376,"head_dim":128,"num_attention_heads":32,"num_key_value_heads":16,\
            "intermediate_size":21504,"sliding_window":1024}} \
            | 62*2*16*128*2 | 131072 | (10*131072+52*1024)*2*16*128*2 | 11173625856

            # The same with each layer listed, as later versions write it.
            gemma-3 of 8 layers | {"model_type":"gemma3_text","num_hidden_layers":8,"hidden_size":1152,"head_dim":256,\
            "num_attention_heads":4,"num_key_value_heads":1,"intermediate_size":6912,"sliding_window":512,\
            "layer_types":["sliding_attention","sliding_attention","sliding_attention","sliding_attention",\
            "sliding_attention","full_attention","sliding_attention","sliding_attention"]} \
            | 8*2*1*256*2 | 32768 | (1*32768+7*512)*2*1*256*2 | 37224448

            gpt-oss-20b | {"model_type":"gpt_oss","num_hidden_layers":24,"hidden_size":2880,"head_dim":64,\
            "num_attention_heads":64,"num_key_value_heads":8,"intermediate_size":2880,"num_local_experts":32,\
            "num_experts_per_tok":4,"sliding_window":128,"vocab_size":201088} \
            | 24*2*8*64*2 | 131072 | (12*131072+12*128)*2*8*64*2 | 3224371200

            # The first of four layers is full: 12 of 45.
            step-3.7-flash | {"model_type":"step3p7","num_hidden_layers":45,"hidden_size":4096,"head_dim":128,\
            "num_attention_heads":64,"num_key_value_heads":8,"intermediate_size":11264,"sliding_window":512,\
            "num_experts":288,"num_experts_per_tok":8,"moe_intermediate_size":1280,"vocab_size":128896,"layer_types":[\
            "full_attention","sliding_attention","sliding_attention","sliding_attention","full_attention",\
            "sliding_attention","sliding_attention","sliding_attention","full_attention"]} \
            | 45*2*8*128*2 | 65536 | (15*65536+30*512)*2*8*128*2 | 4089446400

            # A list of 0 (full: 4 KV heads) and 1 (sliding: 8); keys of 192, values of 128.
            mimo-v2-flash | {"model_type":"mimo_v2_flash","num_hidden_layers":6,"hidden_size":4096,"head_dim":192,\
            "v_head_dim":128,"num_attention_heads":64,"num_key_value_heads":4,"swa_num_key_value_heads":8,\
            "intermediate_size":16384,"sliding_window":128,"n_routed_experts":256,"num_experts_per_tok":8,\
            "moe_intermediate_size":2048,"moe_layer_freq":[0,1,1,1,1,1],"hybrid_layer_pattern":[0,1,1,1,1,0],\
            "vocab_size":152576} \
            | (2*4+4*8)*(192+128)*2 | 131072 | (2*4*131072+4*8*128)*(192+128)*2 | 673710080

            # Full layers have 2 KV heads of 512, the others 8 of 256.
            gemma-4-26b-a4b | {"model_type":"gemma4_text","num_hidden_layers":30,"hidden_size":2816,"head_dim":256,\
            "global_head_dim":512,"num_attention_heads":16,"num_key_value_heads":8,"num_global_key_value_heads":2,\
            "attention_k_eq_v":true,"enable_moe_block":true,"num_experts":128,"top_k_experts":8,\
            "moe_intermediate_size":704,"intermediate_size":2112,"sliding_window":1024,"vocab_size":262144} \
            | (5*2*2*512+25*2*8*256)*2 | 262144 | (5*262144*2*2*512+25*1024*2*8*256)*2 | 5578424320

            # The last 15 of 35 layers use the caches of earlier ones; of the other 20 every fifth is full.
            gemma-3n-e4b | {"model_type":"gemma3n_text","num_hidden_layers":35,"hidden_size":2048,"head_dim":256,\
            "num_attention_heads":8,"num_key_value_heads":2,"num_kv_shared_layers":15,"sliding_window":512,\
            "intermediate_size":16384,"hidden_size_per_layer_input":256,"vocab_size":262400} \
            | 20*2*2*256*2 | 32768 | (4*32768+16*512)*2*2*256*2 | 285212672

            # Chunked attention: no more than the chunk, in 3 of 4 layers.
            llama-4-scout | {"model_type":"llama4_text","num_hidden_layers":48,"hidden_size":5120,"head_dim":128,\
            "num_attention_heads":40,"num_key_value_heads":8,"intermediate_size":8192,"intermediate_size_mlp":16384,\
            "num_local_experts":16,"num_experts_per_tok":1,"attention_chunk_size":8192,"vocab_size":202048} \
            | 48*2*8*128*2 | 1000000 | (12*1000000+36*8192)*2*8*128*2 | 50359959552

            # Latent attention: the rank and the rotated part, once for keys and values.
            deepseek-v3 | {"model_type":"deepseek_v3","num_hidden_layers":61,"hidden_size":7168,"kv_lora_rank":512,\
            "q_lora_rank":1536,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,"num_attention_heads":128,\
            "intermediate_size":18432,"moe_intermediate_size":2048,"n_routed_experts":256,"num_experts_per_tok":8,\
            "vocab_size":129280} \
            | 61*(512+64)*2 | 163840 | 163840*61*(512+64)*2 | 11513364480

            # The indexer keeps one key of 128 numbers beside it.
            deepseek-v3.2 | {"model_type":"deepseek_v32","num_hidden_layers":61,"hidden_size":7168,"kv_lora_rank":512,\
            "q_lora_rank":1536,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,"num_attention_heads":128,\
            "index_head_dim":128,"index_n_heads":64,"index_topk":2048,"intermediate_size":18432,\
            "moe_intermediate_size":2048,"n_routed_experts":256,"num_experts_per_tok":8,"vocab_size":129280} \
            | 61*(512+64+128)*2 | 163840 | 163840*61*(512+64+128)*2 | 14071889920

            glm-5 | {"model_type":"glm_moe_dsa","num_hidden_layers":78,"hidden_size":6144,"kv_lora_rank":512,\
            "q_lora_rank":2048,"qk_rope_head_dim":64,"qk_nope_head_dim":192,"v_head_dim":256,"num_attention_heads":64,\
            "index_head_dim":128,"index_n_heads":32,"index_topk":2048,"intermediate_size":12288,\
            "moe_intermediate_size":2048,"n_routed_experts":256,"num_experts_per_tok":8,"vocab_size":154880} \
            | 78*(512+64+128)*2 | 202752 | 202752*78*(512+64+128)*2 | 22267035648

            # One KV head, whose 512 keys are its values. All layers keep 128 tokens; 3 keep one of 128 besides, 2 one
            # of 4 with a key of the indexer, 1 nothing more.
            deepseek-v4 of 6 layers | {"model_type":"deepseek_v4","num_hidden_layers":6,"hidden_size":7168,\
            "head_dim":512,"num_attention_heads":128,"num_key_value_heads":1,"q_lora_rank":1536,"o_lora_rank":1024,\
            "o_groups":16,"index_head_dim":128,"index_n_heads":64,"n_routed_experts":384,"num_experts_per_tok":6,\
            "moe_intermediate_size":3072,"sliding_window":128,"compress_ratios":[128,128,4,128,4,0],\
            "vocab_size":129280} \
            | (6*512+3*512/128+2*(512+128)/4)*2 | 131072 \
            | (6*128*512+3*(131072/128)*512+2*(131072/4)*(512+128))*2 | 87818240

            # Gated delta nets: 48 matrices of 128 x 128, and 3 inputs of a convolution over 2 x 16 keys and 48 values.
            qwen3.5-27b | {"model_type":"qwen3_5_text","num_hidden_layers":64,"hidden_size":5120,"head_dim":256,\
            "num_attention_heads":24,"num_key_value_heads":4,"intermediate_size":17408,"linear_num_value_heads":48,\
            "linear_num_key_heads":16,"linear_key_head_dim":128,"linear_value_head_dim":128,\
            "linear_conv_kernel_dim":4,"vocab_size":248320} \
            | 16*2*4*256*2 | 100000 | 100000*16*2*4*256*2+48*(48*128*128+3*(2*16*128+48*128))*4 | 6710493184

            # Mamba-2: 64 heads of 128 x 64 and 3 inputs over 2 x 8 groups of 128 and 64 x 64. 6 of 52 layers attend.
            nemotron-3-nano | {"model_type":"nemotron_h","num_hidden_layers":52,"hidden_size":2688,"head_dim":128,\
            "num_attention_heads":32,"num_key_value_heads":2,"hybrid_override_pattern":\
            "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME","mamba_num_heads":64,"mamba_head_dim":64,\
            "n_groups":8,"ssm_state_size":128,"conv_kernel":4,"intermediate_size":1856,"moe_intermediate_size":1856,\
            "n_routed_experts":128,"num_experts_per_tok":6,"vocab_size":131072} \
            | 6*2*2*128*2 | 262144 | 262144*6*2*2*128*2+23*(64*128*64+3*(2*8*128+64*64))*4 | 1660542976

            # The first Mamba: 8192 channels of 16 numbers and 3 inputs. One of eight layers attends.
            jamba | {"model_type":"jamba","num_hidden_layers":32,"hidden_size":4096,"num_attention_heads":32,\
            "num_key_value_heads":8,"intermediate_size":14336,"num_experts":16,"num_experts_per_tok":2,\
            "attn_layer_period":8,"attn_layer_offset":4,"expert_layer_period":2,"expert_layer_offset":1,\
            "mamba_expand":2,"mamba_d_state":16,"mamba_d_conv":4,"mamba_dt_rank":256,"vocab_size":65536} \
            | 4*2*8*128*2 | 262144 | 262144*4*2*8*128*2+28*(8192*16+3*8192)*4 | 4312399872

            # Kimi delta attention: 96 matrices of 128 x 128, and 3 inputs over three times 96 x 128. 1 of 4 is latent.
            kimi-k3 of 4 layers | {"model_type":"kimi_linear","num_hidden_layers":4,"hidden_size":7168,\
            "kv_lora_rank":512,"q_lora_rank":1536,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,\
            "num_attention_heads":96,"intermediate_size":33792,"moe_intermediate_size":3072,"num_experts":896,\
            "num_experts_per_token":16,"first_k_dense_replace":1,"linear_attn_config":{"full_attn_layers":[4],\
            "kda_layers":[1,2,3],"head_dim":128,"num_heads":96,"short_conv_kernel_size":4},"vocab_size":163840} \
            | 1*(512+64)*2 | 1048576 | 1048576*1*(512+64)*2+3*(96*128*128+3*(3*96*128))*4 | 1228161024

            # Attention and a state in every layer.
            falcon-h1 of 2 layers | {"model_type":"falcon_h1","num_hidden_layers":2,"hidden_size":4096,\
            "num_attention_heads":32,"num_key_value_heads":8,"intermediate_size":14336,"mamba_d_ssm":1024,\
            "mamba_n_heads":128,"mamba_d_head":8,"mamba_d_state":256,"mamba_n_groups":1,"mamba_d_conv":4,\
            "vocab_size":128000} \
            | 2*2*8*128*2 | 8192 | 8192*2*2*8*128*2+2*(128*256*8+3*(2*1*256+128*8))*4 | 69242880

            # Layers with 8, 4 and no KV heads of their own, found by a search.
            nemotron-nas of 3 layers | {"model_type":"nemotron-nas","num_hidden_layers":3,"hidden_size":8192,\
            "num_attention_heads":64,"vocab_size":128256,"block_configs":[\
            {"attention":{"n_heads_in_group":8,"no_op":false},"ffn":{"ffn_mult":5.25,"no_op":false}},\
            {"attention":{"n_heads_in_group":16,"no_op":false},"ffn":{"ffn_mult":2.625,"no_op":false}},\
            {"attention":{"no_op":true,"n_heads_in_group":null},"ffn":{"ffn_mult":1.3125,"no_op":false}}]} \
            | (8+4)*2*128*2 | 131072 | 131072*(8+4)*2*128*2 | 805306368
            """)
    void everyKindOfArchitecture(String name, String config, String perToken, long tokens, String total, long bytes)
            throws IOException {
        assertThat(Formula.parse(total).of(NO_NAMES)).isEqualTo(bytes);
        KvCache cache = KvCache.of(architecture(config), 2).find().orElseThrow();
        assertThat(cache.perToken())
                .as(name)
                .isEqualTo(Bytes.of(Formula.parse(perToken).of(NO_NAMES)));
        assertThat(cache.ofTokens(tokens)).as(name).isEqualTo(Bytes.of(bytes));
    }

    private ModelArchitecture architecture(String config) throws IOException {
        Files.writeString(folder.resolve("config.json"), config);
        return CheckpointReader.create().read(folder).architecture();
    }
}
