// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.OnnxWriter.graph;
import static dev.muster.model.checkpoint.OnnxWriter.model;
import static dev.muster.model.checkpoint.OnnxWriter.rawTensor;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnnxSignatureTest {
    private static final int FIRST = 64;

    private static boolean recognises(byte[] whole) {
        return OnnxSignature.matches(Arrays.copyOf(whole, Math.min(FIRST, whole.length)), whole.length);
    }

    @Test
    void recognisesModels() {
        assertThat(recognises(model(graph(rawTensor("w", OnnxType.FLOAT, 100))).toBytes()))
                .isTrue();
        assertThat(recognises(new ProtoWriter()
                        .varint(1, 3)
                        .message(8, new ProtoWriter().varint(2, 7))
                        .toBytes()))
                .isTrue();
    }

    @Test
    void recognisesModelsThatBeginWithTheirGraphOrOperators() {
        ProtoWriter graph = graph(rawTensor("w", OnnxType.FLOAT, 100));
        ProtoWriter operators = new ProtoWriter().text(1, "").varint(2, 17);
        assertThat(recognises(new ProtoWriter().message(7, graph).varint(1, 8).toBytes()))
                .isTrue();
        assertThat(recognises(
                        new ProtoWriter().message(8, operators).varint(1, 8).toBytes()))
                .isTrue();
    }

    @Test
    void recognisesNoOtherMessages() {
        // A saved model of TensorFlow: version 1, then a large message where ONNX has the producer's name.
        assertThat(recognises(
                        new ProtoWriter().varint(1, 1).bytes(2, new byte[5000]).toBytes()))
                .isFalse();
        // Core ML: version 1, then a message.
        assertThat(recognises(new ProtoWriter()
                        .varint(1, 7)
                        .message(2, new ProtoWriter().text(1, "in"))
                        .toBytes()))
                .isFalse();
        assertThat(recognises(new ProtoWriter().varint(1, 8).text(9, "x").toBytes()))
                .isFalse();
        assertThat(recognises(new ProtoWriter().varint(1, 21).text(2, "x").toBytes()))
                .isFalse();
        assertThat(recognises(
                        new ProtoWriter().varint(1, 8).tag(7, 2).number(1000).toBytes()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"a\": 1}",
                "GGUF\3\0\0\0",
                "PK\3\4\24\0\0\0",
                "\b\7\0\0\0\0\0\0{\"a\":",
                "\b\7\22\0\0\0\0\0{\"a\":",
                "\n\n# Title\n",
                "BM some picture",
                "BANANA",
                ": : : :",
                "\177ELF",
                "version https://git-lfs.github.com/spec/v1\n"
            })
    void recognisesNoOtherFiles(String text) {
        assertThat(recognises((text + "\0".repeat(200)).getBytes(StandardCharsets.ISO_8859_1)))
                .isFalse();
    }

    @Test
    void bearsAnyFirstBytes() {
        byte[] whole = model(graph(rawTensor("w", OnnxType.FLOAT, 100))).toBytes();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThat(OnnxSignature.matches(part, whole.length)).isEqualTo(length > 2);
        }
    }
}
