// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelDimension;
import dev.muster.model.checkpoint.CheckpointException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFolderTest {
    private static final String CONFIG = """
            {"model_type":"llama","num_hidden_layers":2,"hidden_size":8,"num_attention_heads":2,
             "num_key_value_heads":1,"intermediate_size":16,"vocab_size":10,"max_position_embeddings":64,
             "tie_word_embeddings":false,"torch_dtype":"bfloat16"}""";

    @TempDir
    private Path folder;

    @Test
    void joinsTheFilesOfAnIndex() throws IOException {
        writeShards();
        write("config.json", CONFIG);
        Checkpoint checkpoint = read();
        assertThat(checkpoint.files())
                .extracting(Checkpoint.File::name)
                .containsExactly("model-1.safetensors", "model-2.safetensors");
        assertThat(checkpoint.parameters().find()).contains(12L);
        assertThat(checkpoint.weightBytes().find()).contains(Bytes.of(24));
        assertThat(checkpoint.architecture().find(ModelDimension.LAYERS)).hasValue(2);
        assertThat(checkpoint.architecture().find(ModelDimension.HEAD_SIZE)).hasValue(4);
    }

    private void writeShards() throws IOException {
        new SafeTensorsFile().tensor("a", "BF16", "[4]", 8).write(folder, "model-1.safetensors");
        new SafeTensorsFile().tensor("b", "BF16", "[8]", 16).write(folder, "model-2.safetensors");
        index("{\"a\":\"model-1.safetensors\",\"b\":\"model-2.safetensors\"}");
    }

    private void index(String map) throws IOException {
        write("model.safetensors.index.json", "{\"metadata\":{\"total_size\":24},\"weight_map\":" + map + "}");
    }

    @Test
    void refusesAnIndexWithoutItsFilesOrTensors() throws IOException {
        writeShards();
        Files.delete(folder.resolve("model-2.safetensors"));
        refuses(Code.INCONSISTENT, "lacks the file 'model-2.safetensors'");
        writeShards();
        index("{\"a\":\"model-1.safetensors\",\"c\":\"model-2.safetensors\"}");
        refuses(Code.INCONSISTENT, "'c'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x.safetensors", "/etc/x.safetensors", "a/b.safetensors", "..", "", "a\\\\b"})
    void neverFollowsAnIndexOutOfTheFolder(String file) throws IOException {
        index("{\"a\":\"" + file + "\"}");
        refuses(Code.INCONSISTENT, "outside of its folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"weight_map\":3}", "{\"weight_map\":{}}", "[", "{\"weight_map\":{\"a\":1}}"})
    void saysWhatIsWrongWithAnIndex(String json) throws IOException {
        write("model.safetensors.index.json", json);
        refuses(Code.MALFORMED, "model.safetensors.index.json");
    }

    @Test
    void refusesATensorInTwoFiles() throws IOException {
        writeShards();
        new SafeTensorsFile()
                .tensor("a", "BF16", "[4]", 8)
                .tensor("b", "BF16", "[8]", 16)
                .write(folder, "model-2.safetensors");
        refuses(Code.DUPLICATE, "same name");
    }

    @Test
    void countsAConfigurationWithoutWeights() throws IOException {
        write("config.json", CONFIG);
        Checkpoint checkpoint = read();
        assertThat(checkpoint.format().isKnown()).isFalse();
        assertThat(checkpoint.parameters().find())
                .contains(2L * 10 * 8 + 2 * (8 * 8 * 2 + 2 * 8 * 4 + 3 * 8 * 16 + 16) + 8);
    }

    @Test
    void countsPackedWeightsByTheConfiguration() throws IOException {
        write("config.json", CONFIG.replace("}", ",\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4}}"));
        new SafeTensorsFile().tensor("qweight", "I32", "[100]", 400).write(folder, "model.safetensors");
        Checkpoint checkpoint = read();
        assertThat(checkpoint.parameters().find()).contains(1352L);
        assertThat(checkpoint.architecture().quantization().find().orElseThrow().bits())
                .hasValue(4);
    }

    @Test
    void refusesAFolderWithoutAModel() throws IOException {
        write("README.md", "nothing");
        refuses(Code.UNKNOWN_FORMAT, "holds no model");
    }

    @Test
    void refusesABrokenConfiguration() throws IOException {
        write("config.json", "[1]");
        refuses(Code.MALFORMED, "config.json");
        write("config.json", "{\"a\":");
        refuses(Code.MALFORMED, "config.json");
    }

    private Checkpoint read() {
        return CheckpointReader.create().read(folder);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private void refuses(Code code, String words) {
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(this::read)
                .withMessageContaining(words)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
