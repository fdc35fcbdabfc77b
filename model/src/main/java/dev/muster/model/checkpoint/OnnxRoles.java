// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The roles of tensors in a quantized ONNX model: integers are weights if an operator reads them as such, and floats
/// are not if they are scales. Names mean the same in a graph and in the graphs within it. Confined to one thread.
final class OnnxRoles {
    /// Operators that read quantized numbers: name, positions of weights and biases, positions of scales. Source:
    /// operators of ONNX 1.20 and those contributed to ONNX Runtime 1.23.
    private static final String[][] QUANTIZED = {
        {"DequantizeLinear", "0", "1"},
        {"QuantizeLinear", "", "1"},
        {"QLinearConv", "3 8", "1 4 6"},
        {"QLinearMatMul", "0 3", "1 4 6"},
        {"ConvInteger", "1", ""},
        {"MatMulInteger", "0 1", ""},
        {"QGemm", "3 6", "1 4 7"},
        {"QAttention", "1 2", "3 4"},
        {"QLinearAdd", "0 3", "1 4 6"},
        {"QLinearMul", "0 3", "1 4 6"},
        {"QEmbedLayerNormalization", "2 3 4 5 6", "8 9 10 11 12"},
        {"DynamicQuantizeMatMul", "1", "2"},
        {"MatMulIntegerToFloat", "1", "2 3"},
        {"DynamicQuantizeLSTM", "1 2", "8 10"},
    };

    /// Operators that pass on the numbers of their first input unchanged.
    private static final Set<String> PASSING = Set.of(
            "Gather",
            "GatherElements",
            "GatherND",
            "Identity",
            "Reshape",
            "Slice",
            "Squeeze",
            "Transpose",
            "Unsqueeze");

    private final ProtoReader proto;
    private final Map<String, int[][]> places = new HashMap<>();
    private final Set<String> weights = new HashSet<>();
    private final Set<String> scales = new HashSet<>();
    private final Map<String, String> passed = new HashMap<>();

    private OnnxRoles(ProtoReader proto) {
        this.proto = proto;
        for (String[] operator : QUANTIZED) {
            places.put(operator[0], new int[][] {numbers(operator[1]), numbers(operator[2])});
        }
    }

    private static int[] numbers(String text) {
        return text.isEmpty()
                ? new int[0]
                : List.of(text.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    }

    /// Reads the nodes of a model, from the file's start.
    static OnnxRoles read(FileBytes file, Scan scan) {
        OnnxRoles roles = new OnnxRoles(new ProtoReader(file, scan.limits().headerBytes()));
        file.seek(0);
        while (roles.proto.next()) {
            if (roles.proto.field() == OnnxField.MODEL_GRAPH) {
                roles.graph();
            } else {
                roles.proto.skip();
            }
        }
        roles.followPassed();
        return roles;
    }

    private void graph() {
        long outer = proto.enter();
        while (proto.next()) {
            if (proto.field() == OnnxField.GRAPH_NODE) {
                node();
            } else {
                proto.skip();
            }
        }
        proto.leave(outer);
    }

    private void node() {
        String operator = "";
        List<String> inputs = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.NODE_INPUT -> inputs.add(text());
                case OnnxField.NODE_OUTPUT -> outputs.add(text());
                case OnnxField.NODE_OP_TYPE -> operator = text();
                case OnnxField.NODE_ATTRIBUTE -> attribute();
                default -> proto.skip();
            }
        }
        proto.leave(outer);
        take(operator, inputs, outputs);
    }

    private void attribute() {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.ATTRIBUTE_GRAPH, OnnxField.ATTRIBUTE_GRAPHS -> graph();
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    private String text() {
        return new String(proto.bytes(CheckpointReader.Limits.NAME_BYTES), StandardCharsets.UTF_8);
    }

    private void take(String operator, List<String> inputs, List<String> outputs) {
        int[][] known = places.get(operator);
        if (known != null) {
            add(weights, known[0], inputs);
            add(scales, known[1], inputs);
        } else if (PASSING.contains(operator) && !inputs.isEmpty() && !outputs.isEmpty()) {
            passed.put(outputs.getFirst(), inputs.getFirst());
        }
    }

    private static void add(Set<String> names, int[] places, List<String> inputs) {
        for (int place : places) {
            if (place < inputs.size() && !inputs.get(place).isEmpty()) {
                names.add(inputs.get(place));
            }
        }
    }

    /// Marks tensors made from weights as weights.
    private void followPassed() {
        for (Set<String> names : List.of(weights, scales)) {
            for (String name : List.copyOf(names)) {
                String from = passed.get(name);
                while (from != null && names.add(from)) {
                    from = passed.get(from);
                }
            }
        }
    }

    /// Reports whether the numbers of a tensor are parameters of the model.
    boolean isParameter(String name, OnnxType type) {
        return type.isFloating() ? !scales.contains(name) : type.isWhole() && weights.contains(name);
    }
}
