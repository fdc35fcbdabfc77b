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

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelFormat;
import dev.muster.model.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxReaderTest {
    @TempDir
    private Path folder;

    private final List<Tensor> tensors = new ArrayList<>();

    private Checkpoint read(ProtoWriter model) throws IOException {
        Path path = Files.write(folder.resolve("model.onnx"), model.toBytes());
        tensors.clear();
        return OnnxReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, tensors::add));
    }

    private void writeWeights(String name, int bytes) throws IOException {
        Files.write(folder.resolve(name), new byte[bytes]);
    }

    @Test
    void readsVersionNameAndTensors() throws IOException {
        Checkpoint read = read(model(graph(
                rawTensor("weight", OnnxType.FLOAT16, 3, 5),
                rawTensor("bias", OnnxType.FLOAT, 5),
                rawTensor("shape", OnnxType.INT64, 2))));
        assertThat(read.format().find()).contains(ModelFormat.ONNX);
        assertThat(read.formatVersion().find()).contains(8L);
        assertThat(read.name().find()).contains("main_graph");
        assertThat(read.files()).extracting(Checkpoint.File::name).containsExactly("model.onnx");
        assertThat(read.tensors().find()).contains(3L);
        assertThat(read.parameters().find()).contains(20L);
        assertThat(read.weightBytes().find()).contains(Bytes.of(30 + 20 + 16));
        assertThat(read.types()).extracting(share -> share.type().name()).containsExactly("FLOAT16", "FLOAT", "INT64");
    }

    @Test
    void handsTensorsOnWithTheirPlace() throws IOException {
        ProtoWriter model = model(graph(rawTensor("w", OnnxType.FLOAT, 2, 3)));
        read(model);
        assertThat(tensors).hasSize(1);
        Tensor tensor = tensors.getFirst();
        assertThat(tensor.shape()).containsExactly(2L, 3L);
        assertThat(tensor.bytes()).isEqualTo(24);
        assertThat(tensor.file()).isEqualTo("model.onnx");
        byte[] bytes = model.toBytes();
        assertThat(bytes[(int) tensor.offset() - 1]).isEqualTo((byte) 24);
        assertThat(bytes[(int) tensor.offset() - 2]).isEqualTo((byte) ((9 << 3) | 2));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
    void readsRawNumbersOfEveryType(OnnxType type) throws IOException {
        Checkpoint read = read(model(graph(rawTensor("w", type, 3, 3))));
        assertThat(read.weightBytes().find()).contains(Bytes.of(Math.ceilDiv(9 * type.type.blockBits(), 8)));
        assertThat(read.types()).extracting(Checkpoint.TypeShare::type).containsExactly(type.type);
    }

    @Test
    void readsDimensionsAndNumbersPackedOrNot() throws IOException {
        ProtoWriter packed = new ProtoWriter()
                .packed(1, 2, 3)
                .varint(2, OnnxWriter.number(OnnxType.INT64))
                .packed(7, 1, 2, 3, 400, 5, -6)
                .text(8, "packed");
        ProtoWriter single = tensor("single", OnnxType.INT64, 2).varint(7, 1).varint(7, -1);
        ProtoWriter floats =
                tensor("floats", OnnxType.FLOAT, 3).bytes(4, new byte[8]).fixed32(4, 1);
        ProtoWriter doubles =
                tensor("doubles", OnnxType.DOUBLE, 3).bytes(10, new byte[16]).fixed64(10, 1);
        ProtoWriter complex = tensor("complex", OnnxType.COMPLEX64, 2).bytes(4, new byte[16]);
        ProtoWriter nibbles = tensor("nibbles", OnnxType.INT4, 5).packed(5, 0x12, 0x34, 0x5);
        ProtoWriter unsigned = tensor("unsigned", OnnxType.UINT32, 1).packed(11, 0xFFFF_FFFFL);
        Checkpoint read = read(model(graph(packed, single, floats, doubles, complex, nibbles, unsigned)));
        assertThat(read.weightBytes().find()).contains(Bytes.of(48 + 16 + 12 + 24 + 16 + 3 + 4));
        assertThat(tensors.getFirst().shape()).containsExactly(2L, 3L);
    }

    @Test
    void textsTakeTheirBytes() throws IOException {
        ProtoWriter texts =
                tensor("texts", OnnxType.STRING, 3).text(6, "one").text(6, "").text(6, "three");
        Checkpoint read = read(model(graph(texts)));
        assertThat(read.weightBytes().find()).contains(Bytes.of(8));
        assertThat(read.parameters().find()).contains(0L);
    }

    @Test
    void readsFieldsInAnyOrderAndPassesOverUnknownOnes() throws IOException {
        ProtoWriter tensor = new ProtoWriter()
                .bytes(9, new byte[8])
                .text(8, "w")
                .varint(99, 1)
                .fixed32(100, 1)
                .fixed64(101, 1)
                .text(102, "later")
                .varint(2, 1)
                .varint(1, 2);
        ProtoWriter model = new ProtoWriter()
                .message(8, new ProtoWriter().varint(2, 17))
                .message(7, new ProtoWriter().message(5, tensor).text(2, "late"))
                .message(25, new ProtoWriter().text(1, "function"))
                .varint(1, 10);
        Checkpoint read = read(model);
        assertThat(read.parameters().find()).contains(2L);
        assertThat(read.name().find()).contains("late");
    }

    @Test
    void countsConstantsAndGraphsWithinGraphs() throws IOException {
        ProtoWriter constant = node("Constant", "", attribute(5, rawTensor("", OnnxType.FLOAT, 4)));
        ProtoWriter branch = graph(rawTensor("w", OnnxType.FLOAT, 2)).message(1, constant);
        ProtoWriter both = node("If", "", attribute(6, branch), attribute(11, branch));
        ProtoWriter outer =
                graph(rawTensor("w", OnnxType.FLOAT, 3)).message(1, constant).message(1, both);
        Checkpoint read = read(model(outer));
        assertThat(read.tensors().find()).contains(6L);
        assertThat(read.parameters().find()).contains(3L + 4 + 2 * (2 + 4));
        assertThat(read.name().find()).contains("main_graph");
        assertThat(tensors)
                .extracting(Tensor::name)
                .containsExactly("w", "attribute 1/", "graph 2/w", "attribute 3/", "graph 4/w", "attribute 5/");
    }

    @Test
    void countsValuesAndIndicesOfSparseTensors() throws IOException {
        ProtoWriter sparse = new ProtoWriter()
                .message(1, rawTensor("w", OnnxType.FLOAT, 3))
                .message(2, rawTensor("", OnnxType.INT64, 3))
                .packed(3, 100, 100);
        ProtoWriter graph = graph().message(15, sparse).message(1, node("Constant", "", attribute(22, sparse)));
        Checkpoint read = read(model(graph));
        assertThat(read.tensors().find()).contains(4L);
        assertThat(read.parameters().find()).contains(6L);
        assertThat(read.weightBytes().find()).contains(Bytes.of(72));
    }

    @Test
    void packedWeightsLeaveTheParametersUnknown() throws IOException {
        ProtoWriter graph =
                graph(rawTensor("w", OnnxType.UINT8, 4, 16)).message(1, node("MatMulNBits", "com.microsoft"));
        Checkpoint read = read(model(graph));
        assertThat(read.weightBytes().find()).contains(Bytes.of(64));
        assertThat(read.parameters()).isInstanceOfSatisfying(Reading.Unknown.class, unknown -> {
            assertThat(unknown.reason()).isEqualTo(UnknownReason.NOT_STATED);
            assertThat(unknown.detail()).contains("several weights out of one byte");
        });
    }

    @Test
    void anOperatorOfAnotherDomainWithThatNameIsNotPacked() throws IOException {
        ProtoWriter graph = graph(rawTensor("w", OnnxType.FLOAT, 4)).message(1, node("MatMulNBits", "org.example"));
        assertThat(read(model(graph)).parameters().find()).contains(4L);
    }

    /// Returns a node with inputs and one output, which shares its name with no other.
    private static ProtoWriter operator(String name, String output, String... inputs) {
        ProtoWriter node = new ProtoWriter();
        for (String input : inputs) {
            node.text(1, input);
        }
        return node.text(2, output).text(4, name);
    }

    @Test
    void quantizedWeightsCountAndTheirScalesAndZeroPointsDoNot() throws IOException {
        ProtoWriter graph = graph(
                        rawTensor("w", OnnxType.INT8, 6, 5),
                        rawTensor("w_scale", OnnxType.FLOAT, 6),
                        rawTensor("w_zero", OnnxType.INT8, 6),
                        rawTensor("b", OnnxType.INT32, 6),
                        rawTensor("b_scale", OnnxType.FLOAT),
                        rawTensor("x_scale", OnnxType.FLOAT),
                        rawTensor("x_zero", OnnxType.UINT8),
                        rawTensor("gamma", OnnxType.FLOAT, 7),
                        rawTensor("axes", OnnxType.INT32, 2),
                        rawTensor("shape", OnnxType.INT64, 2))
                .message(1, operator("QuantizeLinear", "xq", "x", "x_scale", "x_zero"))
                .message(1, operator("DequantizeLinear", "xf", "xq", "x_scale", "x_zero"))
                .message(1, operator("DequantizeLinear", "wf", "w", "w_scale", "w_zero"))
                .message(1, operator("DequantizeLinear", "bf", "b", "b_scale"))
                .message(1, operator("Gemm", "y", "xf", "wf", "bf"));
        assertThat(read(model(graph)).parameters().find()).contains(30L + 6 + 7);
    }

    @Test
    void operatorsOnWholeNumbersTakeTheirWeightsToo() throws IOException {
        ProtoWriter graph = graph(
                        rawTensor("k", OnnxType.UINT8, 4, 3, 2, 2),
                        rawTensor("bias", OnnxType.INT32, 4),
                        rawTensor("s", OnnxType.FLOAT),
                        rawTensor("z", OnnxType.UINT8),
                        rawTensor("m", OnnxType.INT8, 5, 8))
                .message(1, operator("QLinearConv", "c", "x", "s", "z", "k", "s", "z", "s", "z", "bias"))
                .message(1, operator("MatMulInteger", "d", "c", "m", "z"));
        assertThat(read(model(graph)).parameters().find()).contains(48L + 4 + 40);
    }

    @Test
    void quantizedEmbeddingsCountWhereTheyAreGatheredFirst() throws IOException {
        ProtoWriter scale = operator("Constant", "scale").message(5, attribute(5, rawTensor("", OnnxType.FLOAT)));
        ProtoWriter graph = graph(rawTensor("table", OnnxType.UINT4, 20, 4), rawTensor("rows", OnnxType.INT32, 9))
                .message(1, scale)
                .message(1, operator("Gather", "some", "table", "ids"))
                .message(1, operator("Reshape", "flat", "some", "rows"))
                .message(1, operator("DequantizeLinear", "f", "flat", "scale"));
        assertThat(read(model(graph)).parameters().find()).contains(80L);
    }

    @Test
    void smallWholeNumbersThatNoKnownOperatorReadsLeaveTheParametersUnknown() throws IOException {
        ProtoWriter graph = graph(rawTensor("w", OnnxType.INT8, 50), rawTensor("gamma", OnnxType.FLOAT, 3))
                .message(1, operator("Packed", "y", "x", "w"));
        assertThat(read(model(graph)).parameters())
                .isInstanceOfSatisfying(
                        Reading.Unknown.class,
                        unknown -> assertThat(unknown.detail()).contains("no known operator takes for weights"));
    }

    @Test
    void tensorsInAttributesOfOtherOperatorsAreNoParameters() throws IOException {
        ProtoWriter filled = node("ConstantOfShape", "", attribute(5, rawTensor("", OnnxType.FLOAT, 1)));
        ProtoWriter graph = graph(rawTensor("w", OnnxType.FLOAT, 3)).message(1, filled);
        Checkpoint read = read(model(graph));
        assertThat(read.parameters().find()).contains(3L);
        assertThat(read.tensors().find()).contains(2L);
    }

    @Test
    void numbersThatSeveralInitializersShareCountOnce() throws IOException {
        writeWeights("shared.bin", 80);
        String[] place = {"location", "shared.bin", "offset", "0", "length", "80"};
        Checkpoint read = read(model(graph(
                externalTensor("embed", OnnxType.FLOAT, new long[] {4, 5}, place),
                externalTensor("head", OnnxType.FLOAT, new long[] {4, 5}, place))));
        assertThat(read.tensors().find()).contains(2L);
        assertThat(read.parameters().find()).contains(20L);
    }

    @Test
    void readsWeightsInOtherFiles() throws IOException {
        writeWeights("model.onnx.data", 100);
        writeWeights("more.bin", 8);
        Checkpoint read = read(model(graph(
                externalTensor(
                        "a",
                        OnnxType.FLOAT,
                        new long[] {5},
                        "location",
                        "model.onnx.data",
                        "offset",
                        "80",
                        "length",
                        "20"),
                externalTensor("b", OnnxType.FLOAT, new long[] {20}, "location", "model.onnx.data", "checksum", "?"),
                externalTensor("c", OnnxType.DOUBLE, new long[] {}, "location", "more.bin"))));
        assertThat(read.files())
                .extracting(Checkpoint.File::name)
                .containsExactly("model.onnx", "model.onnx.data", "more.bin");
        assertThat(read.weightBytes().find()).contains(Bytes.of(108));
        assertThat(tensors).extracting(Tensor::file).containsExactly("model.onnx.data", "model.onnx.data", "more.bin");
        assertThat(tensors).extracting(Tensor::offset).containsExactly(80L, 0L, 0L);
    }

    @Test
    void aModelWithoutTensorsHasNoParameters() throws IOException {
        Checkpoint read = read(model(new ProtoWriter()));
        assertThat(read.parameters().find()).contains(0L);
        assertThat(read.name().isKnown()).isFalse();
    }

    @Test
    void readsBackWhatWasWritten() throws IOException {
        long seed = System.nanoTime();
        System.out.println("OnnxReaderTest.readsBackWhatWasWritten seed " + seed);
        Random random = new Random(seed);
        List<OnnxType> types = List.of(OnnxType.values());
        for (int round = 0; round < 200; round++) {
            List<Tensor> written = new ArrayList<>();
            ProtoWriter graph = graph();
            for (int at = random.nextInt(8); at > 0; at--) {
                OnnxType type = types.get(random.nextInt(types.size()));
                long[] shape = random.longs(random.nextInt(5), 0, 6).toArray();
                writeRandom(graph, "tensor " + at, type, shape, written, random);
            }
            read(model(graph));
            assertThat(tensors)
                    .as("seed %d", seed)
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("offset")
                    .isEqualTo(written);
        }
    }

    private static void writeRandom(
            ProtoWriter graph, String name, OnnxType type, long[] shape, List<Tensor> written, Random random) {
        List<Long> dimensions = new ArrayList<>();
        long elements = 1;
        for (long size : shape) {
            dimensions.add(size);
            elements *= size;
        }
        long bytes = type.bytes(elements);
        if (type == OnnxType.STRING) {
            ProtoWriter tensor = tensor(name, type, shape);
            for (long at = 0; at < elements; at++) {
                tensor.text(6, "x");
            }
            graph.message(5, tensor);
        } else if (type.dataField == OnnxField.INT32_DATA && random.nextBoolean()) {
            long[] entries = random.longs(type.entries(elements), 0, 1 << 16).toArray();
            graph.message(5, tensor(name, type, shape).packed(5, entries));
        } else {
            graph.message(5, rawTensor(name, type, shape));
        }
        written.add(new Tensor(name, type.type, dimensions, elements, bytes, "model.onnx", 0));
    }
}
