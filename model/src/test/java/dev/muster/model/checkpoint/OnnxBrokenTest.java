// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.OnnxWriter.attribute;
import static dev.muster.model.checkpoint.OnnxWriter.externalTensor;
import static dev.muster.model.checkpoint.OnnxWriter.graph;
import static dev.muster.model.checkpoint.OnnxWriter.model;
import static dev.muster.model.checkpoint.OnnxWriter.node;
import static dev.muster.model.checkpoint.OnnxWriter.rawTensor;
import static dev.muster.model.checkpoint.OnnxWriter.tensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.checkpoint.CheckpointException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OnnxBrokenTest {
    private static final CheckpointReader.Limits SMALL =
            new CheckpointReader.Limits(2000, 3, 10, 2, Duration.ofSeconds(30));

    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("model.onnx");
    }

    private CheckpointException refusal(byte[] bytes, CheckpointReader.Limits limits) throws IOException {
        Files.write(path, bytes);
        return catchThrowableOfType(CheckpointException.class, () -> OnnxReader.read(path, Scan.start(limits, null)));
    }

    private void refused(Code code, String part, ProtoWriter model) throws IOException {
        CheckpointException refusal = refusal(model.toBytes(), CheckpointReader.Limits.DEFAULT);
        assertThat(refusal).hasMessageContaining(part);
        assertThat(refusal.code()).isEqualTo(code);
    }

    private void refusedTensor(Code code, String part, ProtoWriter tensor) throws IOException {
        refused(code, part, model(graph(tensor)));
    }

    @Test
    void aFileCutAnywhereIsRefused() throws IOException {
        ProtoWriter constant = node("Constant", "", attribute(5, rawTensor("", OnnxType.FLOAT, 4)));
        byte[] whole = model(graph(
                                rawTensor("w", OnnxType.FLOAT, 3),
                                tensor("i", OnnxType.INT64, 2).packed(7, 1, 300))
                        .message(1, constant))
                .toBytes();
        for (int length = 0; length < whole.length; length++) {
            assertThat(refusal(Arrays.copyOf(whole, length), CheckpointReader.Limits.DEFAULT))
                    .as("cut at %d", length)
                    .isNotNull();
        }
        assertThat(refusal(whole, CheckpointReader.Limits.DEFAULT)).isNull();
    }

    @Test
    void aFileWithOneOtherByteNeverEndsInAnotherException() throws IOException {
        byte[] whole = model(graph(
                        rawTensor("w", OnnxType.FLOAT, 3),
                        tensor("i", OnnxType.INT64, 2).packed(7, 1, 300)))
                .toBytes();
        BitFlips.assertReadOrRefused(whole, path, OnnxReader::read);
    }

    @Test
    void numbersOfMoreThanTenBytesAreRefused() throws IOException {
        int[] endless = new int[64];
        Arrays.fill(endless, 0xFF);
        refused(Code.MALFORMED, "more than ten bytes", new ProtoWriter().raw(endless));
        refused(
                Code.MALFORMED,
                "more than ten bytes",
                new ProtoWriter().tag(1, 0).raw(endless));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 1000})
    void lengthsPastTheFileAreRefused(long length) throws IOException {
        refused(
                Code.TRUNCATED,
                "are left",
                new ProtoWriter().varint(1, 8).tag(7, 2).number(length));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 6})
    void lengthsPastTheMessageAroundThemAreRefused(long length) throws IOException {
        ProtoWriter tensor =
                tensor("w", OnnxType.UINT8, 4).tag(9, 2).number(length).raw(0, 0, 0, 0);
        refusedTensor(Code.MALFORMED, "are left", tensor);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 6, 7})
    void groupsAndUnknownWireTypesAreRefused(int wire) throws IOException {
        refused(Code.MALFORMED, "wire type " + wire, new ProtoWriter().tag(50, wire));
    }

    @Test
    void knownFieldsOfAnotherWireTypeAreRefused() throws IOException {
        refused(Code.MALFORMED, "field 1 has wire type 2", new ProtoWriter().text(1, "8"));
        refused(Code.MALFORMED, "field 7 has wire type 0", new ProtoWriter().varint(7, 8));
        refusedTensor(
                Code.MALFORMED,
                "field 9 has wire type 0",
                tensor("w", OnnxType.UINT8, 1).varint(9, 1));
        refusedTensor(
                Code.MALFORMED,
                "field 4 has wire type 0",
                tensor("w", OnnxType.FLOAT, 1).varint(4, 1));
    }

    @Test
    void fieldZeroIsRefused() throws IOException {
        refused(Code.MALFORMED, "unknown field 0", new ProtoWriter().raw(0, 0));
    }

    @Test
    void graphsWithinGraphsEndSomewhere() throws IOException {
        Deque<byte[]> heads = new ArrayDeque<>();
        int size = 0;
        for (int depth = 0; depth < 10_000; depth++) {
            // An attribute, a node and a graph around what there is.
            for (int field : new int[] {6, 5, 1}) {
                byte[] head = new ProtoWriter().tag(field, 2).number(size).toBytes();
                heads.push(head);
                size += head.length;
            }
        }
        ProtoWriter inner = new ProtoWriter();
        heads.forEach(inner::raw);
        refused(Code.TOO_LARGE, "nested deeper than 64", model(inner));
    }

    @ParameterizedTest
    @CsvSource({"0", "21", "-1", "9223372036854775807"})
    void otherVersionsAreRefused(long version) throws IOException {
        refused(Code.UNKNOWN_VERSION, "version", model(graph()).varint(1, version));
    }

    @Test
    void aModelHasOneGraphAndOperators() throws IOException {
        refused(Code.MALFORMED, "no graph", new ProtoWriter().varint(1, 8));
        refused(Code.DUPLICATE, "two graphs", model(graph()).message(7, graph()));
        refused(
                Code.MALFORMED,
                "no set of operators",
                new ProtoWriter().varint(1, 8).message(7, graph()));
    }

    @Test
    void anEmptyFileIsRefused() throws IOException {
        refused(Code.UNKNOWN_VERSION, "does not state its version", new ProtoWriter());
    }

    @Test
    void initializersHaveNamesOfTheirOwn() throws IOException {
        ProtoWriter tensor = rawTensor("w", OnnxType.FLOAT, 1);
        refused(Code.DUPLICATE, "same name", model(graph(tensor, tensor)));
        ProtoWriter body = node("Loop", "", attribute(6, graph(tensor, tensor)));
        refused(Code.DUPLICATE, "same name", model(graph().message(1, body)));
        refusedTensor(Code.MALFORMED, "no name", rawTensor("", OnnxType.FLOAT, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 27, -1, Long.MIN_VALUE, 1L << 32})
    void unknownTypesAreRefused(long code) throws IOException {
        ProtoWriter tensor =
                new ProtoWriter().varint(1, 1).varint(2, code).text(8, "w").bytes(9, new byte[4]);
        refusedTensor(Code.UNKNOWN_TYPE, "unknown type " + code, tensor);
    }

    @Test
    void dimensionsThatOverflowAreRefused() throws IOException {
        long[] large = {1L << 40, 1L << 40};
        refusedTensor(
                Code.TOO_LARGE,
                "2^63-1 bytes",
                tensor("w", OnnxType.UINT8, large).bytes(9, new byte[4]));
        refusedTensor(
                Code.TOO_LARGE,
                "2^63-1 bytes",
                tensor("w", OnnxType.DOUBLE, 1L << 61).bytes(9, new byte[4]));
        refusedTensor(Code.MALFORMED, "dimension of -1", tensor("w", OnnxType.DOUBLE, -1));
        refusedTensor(Code.TOO_LARGE, "64 dimensions", tensor("w", OnnxType.DOUBLE, new long[65]));
        refusedTensor(Code.TOO_LARGE, "64 dimensions", new ProtoWriter().packed(1, new long[65]));
    }

    @Test
    void numbersThatDoNotFillTheShapeAreRefused() throws IOException {
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.FLOAT, 2).bytes(9, new byte[7]));
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.FLOAT, 2).bytes(9, new byte[9]));
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.FLOAT, 2).bytes(4, new byte[4]));
        refusedTensor(
                Code.MALFORMED, "no whole count", tensor("w", OnnxType.FLOAT, 2).bytes(4, new byte[9]));
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.FLOAT, 2).bytes(10, new byte[16]));
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.INT64, 3).packed(7, 1, 2));
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.INT64, 1).bytes(7, new byte[11]));
        refusedTensor(
                Code.MALFORMED, "do not hold", tensor("w", OnnxType.STRING, 1).bytes(9, new byte[1]));
        refusedTensor(Code.MALFORMED, "no place for them", tensor("w", OnnxType.FLOAT, 1L << 40));
        refusedTensor(
                Code.MALFORMED, "two places", rawTensor("w", OnnxType.FLOAT, 1).bytes(9, new byte[4]));
        refusedTensor(
                Code.MALFORMED, "two places", rawTensor("w", OnnxType.FLOAT, 1).bytes(4, new byte[4]));
        refusedTensor(
                Code.MALFORMED,
                "unknown place 2",
                rawTensor("w", OnnxType.FLOAT, 1).varint(14, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "..\\x", "C:x", "a\0b", "\\\\host\\x"})
    void weightsOutsideTheFolderAreRefused(String location) throws IOException {
        refusedTensor(
                Code.MALFORMED,
                "not a file name in the model's folder",
                externalTensor("w", OnnxType.UINT8, new long[] {1}, "location", location));
    }

    @Test
    void otherFilesHaveToHoldTheWeights() throws IOException {
        Files.write(folder.resolve("data"), new byte[100]);
        Files.createDirectory(folder.resolve("folder"));
        external(Code.INCONSISTENT, "'absent' is missing", "location", "absent");
        external(Code.UNREADABLE, "'folder' is not a regular file", "location", "folder");
        external(Code.MALFORMED, "names itself", "location", "model.onnx");
        external(Code.MALFORMED, "not a file name", "offset", "0");
        external(Code.DUPLICATE, "location twice", "location", "data", "location", "data");
        external(Code.MISPLACED, "which has 100", "location", "data", "offset", "91");
        external(Code.MISPLACED, "which has 100", "location", "data", "offset", "101");
        external(Code.MISPLACED, "which has 100", "location", "data", "offset", "9223372036854775807");
        external(Code.MALFORMED, "has 11", "location", "data", "length", "11");
        for (String number :
                new String[] {"", "-1", "+1", "1.0", " 1", "x", "9223372036854775808", "99999999999999999999"}) {
            external(Code.MALFORMED, "not a number of bytes", "location", "data", "offset", number);
            external(Code.MALFORMED, "not a number of bytes", "location", "data", "length", number);
        }
        refusedTensor(
                Code.MALFORMED,
                "here and in another file",
                externalTensor("w", OnnxType.UINT8, new long[] {1}, "location", "data")
                        .bytes(9, new byte[1]));
        refusedTensor(
                Code.MALFORMED,
                "only numbers",
                externalTensor("w", OnnxType.STRING, new long[] {1}, "location", "data"));
    }

    private void external(Code code, String part, String... keysAndValues) throws IOException {
        refusedTensor(code, part, externalTensor("w", OnnxType.UINT8, new long[] {10}, keysAndValues));
    }

    @Test
    void limitsAreKept() throws IOException {
        ProtoWriter many = graph();
        for (int at = 0; at < 4; at++) {
            many.message(5, rawTensor("w" + at, OnnxType.UINT8, 1));
        }
        CheckpointException tensors = refusal(model(many).toBytes(), SMALL);
        assertThat(tensors.code()).isEqualTo(Code.TOO_LARGE);
        assertThat(tensors).hasMessageContaining("more than 3 tensors");

        ProtoWriter nodes = graph();
        for (int at = 0; at < 1000; at++) {
            nodes.message(1, node("Add", ""));
        }
        CheckpointException header = refusal(model(nodes).toBytes(), SMALL);
        assertThat(header.code()).isEqualTo(Code.TOO_LARGE);
        assertThat(header).hasMessageContaining("2000 bytes beside its weights");

        ProtoWriter files = graph();
        for (int at = 0; at < 2; at++) {
            Files.write(folder.resolve("data" + at), new byte[1]);
            files.message(5, externalTensor("w" + at, OnnxType.UINT8, new long[] {1}, "location", "data" + at));
        }
        CheckpointException file = refusal(model(files).toBytes(), SMALL);
        assertThat(file.code()).isEqualTo(Code.TOO_LARGE);
        assertThat(file).hasMessageContaining("more than 2 files");

        refused(Code.TOO_LARGE, "65536 bytes", model(new ProtoWriter().text(2, "x".repeat(65_536))));
    }

    @Test
    void weightsDoNotCountAsBytesThatAreRead() throws IOException {
        assertThat(refusal(model(graph(rawTensor("w", OnnxType.FLOAT, 1 << 20))).toBytes(), SMALL))
                .isNull();
    }

    @Test
    void aTensorWithoutNumbersNeedsNoPlace() throws IOException {
        ProtoWriter model = model(graph(tensor("w", OnnxType.FLOAT, 0)));
        assertThat(refusal(model.toBytes(), CheckpointReader.Limits.DEFAULT)).isNull();
    }

    @Test
    void aMissingFileIsMissing() {
        assertThatExceptionOfType(CheckpointException.class)
                .isThrownBy(() -> OnnxReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, null)))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Code.MISSING));
    }
}
