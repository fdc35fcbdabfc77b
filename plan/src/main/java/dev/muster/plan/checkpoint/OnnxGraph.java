package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Walks through a model's graph and the graphs within it, and counts their tensors: initializers, dense and sparse,
/// and those that stand in attributes of nodes, where `Constant` keeps its value. Confined to one thread.
///
/// Names are only unique within one graph, and attributes need none: tensors below the outer graph go by the number of
/// what holds them and their own name.
final class OnnxGraph {
    private static final String OUTER = "";
    private static final String MICROSOFT = "com.microsoft";

    /// Operators that take several weights out of one byte. Source: ONNX Runtime's contributed operators, 2025-11.
    private static final Set<String> UNPACKING =
            Set.of("MatMulNBits", "MatMulNBitsMlp", "MatMulBnb4", "GatherBlockQuantized", "QMoE");

    private final FileBytes file;
    private final ProtoReader proto;
    private final TensorTally tally;
    private final ExternalFiles files;
    private String name = "";
    private boolean packed;
    private long inner;

    OnnxGraph(FileBytes file, ProtoReader proto, TensorTally tally, ExternalFiles files) {
        this.file = file;
        this.proto = proto;
        this.tally = tally;
        this.files = files;
    }

    /// Reads the model's graph, which the current field holds.
    void read() {
        graph(OUTER);
    }

    /// What the model's graph is called; empty where it has no name.
    String name() {
        return name;
    }

    /// Whether some operator takes several weights out of one element of a tensor.
    boolean isPacked() {
        return packed;
    }

    private void graph(String scope) {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.GRAPH_NODE -> node();
                case OnnxField.GRAPH_NAME -> graphName(scope);
                case OnnxField.GRAPH_INITIALIZER -> initializer(scope);
                case OnnxField.GRAPH_SPARSE_INITIALIZER -> sparse(scope);
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    private void graphName(String scope) {
        String text = text();
        if (scope.equals(OUTER)) {
            name = text;
        }
    }

    private void initializer(String scope) {
        OnnxTensor tensor = OnnxTensor.read(proto);
        if (!tensor.hasName()) {
            throw proto.error(MALFORMED, "an initializer has no name");
        }
        add(tensor, scope);
    }

    private void node() {
        String operator = "";
        String domain = "";
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.NODE_OP_TYPE -> operator = text();
                case OnnxField.NODE_DOMAIN -> domain = text();
                case OnnxField.NODE_ATTRIBUTE -> attribute();
                default -> proto.skip();
            }
        }
        proto.leave(outer);
        packed |= domain.equals(MICROSOFT) && UNPACKING.contains(operator);
    }

    private void attribute() {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.ATTRIBUTE_TENSOR, OnnxField.ATTRIBUTE_TENSORS ->
                    add(OnnxTensor.read(proto), nextScope("attribute"));
                case OnnxField.ATTRIBUTE_GRAPH, OnnxField.ATTRIBUTE_GRAPHS -> graph(nextScope("graph"));
                case OnnxField.ATTRIBUTE_SPARSE_TENSOR, OnnxField.ATTRIBUTE_SPARSE_TENSORS ->
                    sparse(nextScope("attribute"));
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    /// A sparse tensor is two: its values, which bear its name, and where they go.
    private void sparse(String scope) {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.SPARSE_VALUES -> add(OnnxTensor.read(proto), scope);
                case OnnxField.SPARSE_INDICES -> add(OnnxTensor.read(proto), nextScope("indices"));
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    private void add(OnnxTensor tensor, String scope) {
        tensor.addTo(tally, file, files, scope);
    }

    private String nextScope(String kind) {
        return kind + " " + ++inner + "/";
    }

    private String text() {
        return new String(proto.bytes(CheckpointReader.Limits.NAME_BYTES), StandardCharsets.UTF_8);
    }
}
