// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelFormat;
import dev.muster.model.Tensor;
import dev.muster.model.tensor.GgufType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GgufReaderTest {
    @TempDir
    private Path folder;

    static Stream<GgufFile> files() {
        return Stream.of(GgufFile.of(1), GgufFile.of(2), GgufFile.of(3), GgufFile.bigEndian());
    }

    @ParameterizedTest
    @MethodSource("files")
    void readsAllVersionsAndByteOrders(GgufFile file) {
        Checkpoint model = file.llama().read(folder);

        assertThat(model.format().find()).contains(ModelFormat.GGUF);
        assertThat(model.name().find()).contains("Tiny");
        assertThat(model.tensors().find()).contains(3L);
        assertThat(model.parameters().find()).contains((3L * 64) + (64 * 64) + 5);
        assertThat(model.weightBytes().find()).contains(Bytes.of((3 * 64 * 4) + (128 * 34) + (5 * 4)));
        assertThat(model.types()).extracting(share -> share.type().name()).containsExactly("Q8_0", "F32");
        assertThat(model.files()).extracting(Checkpoint.File::name).containsExactly("model.gguf");
        assertThat(model.architecture().find(ModelDimension.LAYERS)).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void saysItsVersion(int version) {
        assertThat(GgufFile.of(version).llama().read(folder).formatVersion().find())
                .contains((long) version);
    }

    /// The inputs of the fuzz test, which were not written by [GgufFile].
    @ParameterizedTest
    @CsvSource({
        "version-1, 1, llama, 96",
        "version-2, 2, llama, 96",
        "version-3, 3, llama, 96",
        "big-endian, 3, llama, 96",
        "aligned-and-nested, 3, deepseek2, 257"
    })
    void readsFilesOfAnotherWriter(String name, long version, String family, long parameters) throws Exception {
        Path path = Path.of(getClass()
                .getResource("GgufFuzzTestInputs/whole/" + name + ".gguf")
                .toURI());

        Checkpoint model = GgufFile.read(path, CheckpointReader.Limits.DEFAULT);

        assertThat(model.formatVersion().find()).contains(version);
        assertThat(model.architecture().family().find()).contains(family);
        assertThat(model.parameters().find()).contains(parameters);
    }

    @Test
    void recognisesItsFirstBytes() {
        assertThat(GgufInput.hasMagic(GgufFile.create().bytes())).isTrue();
        assertThat(GgufInput.hasMagic("GGU".getBytes(StandardCharsets.US_ASCII)))
                .isFalse();
        assertThat(GgufInput.hasMagic("GGML....".getBytes(StandardCharsets.US_ASCII)))
                .isFalse();
    }

    @Test
    void handsOnTensorsWithTheirPlaces() {
        GgufFile file = GgufFile.create().alignment(64).llama();
        List<Tensor> tensors = new ArrayList<>();
        Path path = file.write(folder.resolve("model.gguf"));

        GgufReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, tensors::add));

        long weights = Math.ceilDiv(file.header().length, 64) * 64L;
        assertThat(tensors)
                .containsExactly(
                        new Tensor(
                                "token_embd.weight",
                                GgufType.F32.tensorType(),
                                List.of(3L, 64L),
                                192,
                                768,
                                "model.gguf",
                                weights),
                        new Tensor(
                                "blk.0.attn_q.weight",
                                GgufType.Q8_0.tensorType(),
                                List.of(64L, 64L),
                                4096,
                                4352,
                                "model.gguf",
                                weights + 768),
                        new Tensor(
                                "output_norm.weight",
                                GgufType.F32.tensorType(),
                                List.of(5L),
                                5,
                                20,
                                "model.gguf",
                                weights + 768 + 4352));
    }

    @Test
    void readsEveryTypeOfTensor() {
        GgufFile file = GgufFile.create();
        for (GgufType type : GgufType.values()) {
            file.tensor("weights of " + type, type, 2, 256);
        }

        Checkpoint model = file.read(folder);

        assertThat(model.types()).hasSameSizeAs(GgufType.values());
        assertThat(model.parameters().find()).contains(512L * GgufType.values().length);
    }

    @Test
    void readsAFileWithoutAnything() {
        Checkpoint model = GgufFile.create().read(folder);

        assertThat(model.tensors().find()).contains(0L);
        assertThat(model.name().isKnown()).isFalse();
        assertThat(model.architecture().tiedEmbeddings().isKnown()).isFalse();
    }

    @Test
    void aTensorWithoutDimensionsIsASingleNumber() {
        assertThat(GgufFile.create()
                        .tensor("scale", GgufType.F32)
                        .read(folder)
                        .parameters()
                        .find())
                .contains(1L);
    }

    @Test
    void skipsValuesOfEveryType() {
        GgufFile file = GgufFile.create();
        for (GgufInput.ValueType type : GgufInput.ValueType.values()) {
            if (type.bytes() > 0) {
                file.number("x." + type, type, 1).numbers("xs." + type, type, 1, 0, 1);
            }
        }
        file.text("tokenizer.chat_template", "{{ bos }}".repeat(50_000))
                .texts("empty")
                .entry(out -> out.text("nested")
                        .type(GgufInput.ValueType.ARRAY)
                        .type(GgufInput.ValueType.ARRAY)
                        .count(2)
                        .type(GgufInput.ValueType.STRING)
                        .count(1)
                        .text("inner")
                        .type(GgufInput.ValueType.UINT8)
                        .count(2)
                        .number(1, 7)
                        .number(1, 8));

        assertThat(file.llama().read(folder).name().find()).contains("Tiny");
    }

    @Test
    void textsThatAreTooLongAreNotKept() {
        assertThat(GgufFile.create()
                        .text("general.name", "x".repeat(70_000))
                        .read(folder)
                        .name()
                        .isKnown())
                .isFalse();
    }

    @Test
    void largeVocabulariesAndManyTensorsTakeLittleTime() {
        String[] tokens = new String[262_144];
        Arrays.setAll(tokens, token -> "token " + token);
        GgufFile file = GgufFile.create().texts("tokenizer.ggml.tokens", tokens).texts("tokenizer.ggml.merges", tokens);
        for (int tensor = 0; tensor < 5000; tensor++) {
            file.tensor("blk." + tensor + ".ffn_down_exps.weight", GgufType.Q4_K, 1, 256);
        }
        Path path = file.write(folder.resolve("large.gguf"));

        Checkpoint model = assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> GgufFile.read(path, CheckpointReader.Limits.DEFAULT));

        assertThat(model.tensors().find()).contains(5000L);
        assertThat(model.architecture().find(ModelDimension.VOCABULARY)).hasValue(262_144);
    }
}
