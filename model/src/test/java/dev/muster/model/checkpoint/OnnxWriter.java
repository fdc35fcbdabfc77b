// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.util.List;

/// Writes the messages of ONNX models.
final class OnnxWriter {
    private OnnxWriter() {}

    /// Returns a model as PyTorch writes it: version, producer, graph, operators.
    static ProtoWriter model(ProtoWriter graph) {
        return new ProtoWriter()
                .varint(1, 8)
                .text(2, "pytorch")
                .text(3, "2.9.0")
                .message(7, graph)
                .message(8, new ProtoWriter().text(1, "").varint(2, 17));
    }

    static ProtoWriter graph(ProtoWriter... initializers) {
        ProtoWriter graph = new ProtoWriter().text(2, "main_graph");
        for (ProtoWriter initializer : initializers) {
            graph.message(5, initializer);
        }
        return graph;
    }

    /// Returns a tensor without numbers.
    static ProtoWriter tensor(String name, OnnxType type, long... shape) {
        ProtoWriter tensor = new ProtoWriter();
        for (long size : shape) {
            tensor.varint(1, size);
        }
        return tensor.varint(2, number(type)).text(8, name);
    }

    /// Returns a tensor with its numbers as raw bytes.
    static ProtoWriter rawTensor(String name, OnnxType type, long... shape) {
        long elements = 1;
        for (long size : shape) {
            elements *= size;
        }
        return tensor(name, type, shape).bytes(9, new byte[Math.toIntExact(type.bytes(elements))]);
    }

    static ProtoWriter externalTensor(String name, OnnxType type, long[] shape, String... keysAndValues) {
        ProtoWriter tensor = tensor(name, type, shape);
        for (int at = 0; at < keysAndValues.length; at += 2) {
            tensor.message(13, new ProtoWriter().text(1, keysAndValues[at]).text(2, keysAndValues[at + 1]));
        }
        return tensor.varint(14, 1);
    }

    static ProtoWriter node(String operator, String domain, ProtoWriter... attributes) {
        ProtoWriter node = new ProtoWriter().text(1, "x").text(2, "y").text(4, operator);
        for (ProtoWriter attribute : attributes) {
            node.message(5, attribute);
        }
        return node.text(7, domain);
    }

    static ProtoWriter attribute(int field, ProtoWriter value) {
        return new ProtoWriter().text(1, "value").message(field, value);
    }

    /// Returns the number of a type in `TensorProto.DataType`.
    static int number(OnnxType type) {
        return List.of(OnnxType.values()).indexOf(type) + 1;
    }
}
