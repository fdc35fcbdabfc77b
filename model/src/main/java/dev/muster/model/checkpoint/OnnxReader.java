// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_VERSION;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A reader of ONNX models: a protobuf message, read field by field, its weights skipped. It counts the tensors of
/// the graph and of the graphs within it: initializers, dense and sparse, and those in attributes of nodes. Confined
/// to one thread.
///
/// Parameters are the floating numbers of initializers and of `Constant` nodes, and integers that an operator takes
/// for quantized weights ([OnnxRoles]). Shapes, indices, zero points and scales are not, nor are tensors in
/// attributes of other operators; numbers in another file that several initializers share count once.
///
/// Names are unique only within one graph, and attributes need none: tensors below the outer graph are named by the
/// number of their holder and their own name.
///
/// Training graphs and functions are skipped: the former do not exist when a model runs, the latter hold no weights.
final class OnnxReader {
    /// Version 13 is of 2025-11-06. Each version so far only added to the one before; a few more are accepted.
    static final long NEWEST_VERSION = 20;

    /// The first version in which a model states its operator sets. Source: history in `onnx.proto`.
    private static final long WITH_OPERATOR_SETS = 3;

    private static final String OUTER = "";
    private static final String MICROSOFT = "com.microsoft";

    /// Operators that unpack several weights from one byte. Source: ONNX Runtime's contributed operators, 2025-11.
    private static final Set<String> UNPACKING =
            Set.of("MatMulNBits", "MatMulNBitsMlp", "MatMulBnb4", "GatherBlockQuantized", "QMoE");

    private final FileBytes file;
    private final ProtoReader proto;
    private final TensorTally tally;
    private final OnnxExternal.Siblings files;
    private final OnnxTensor tensor;
    private final OnnxRoles roles;
    private final Set<String> places = new HashSet<>();
    private long parameters;
    /// Bytes of integers that look like weights and are not used as such.
    private long unclear;
    private String graphName = "";
    private long inner;
    private boolean packed;
    private boolean graphRead;
    private boolean operatorsNamed;
    private long version;

    private OnnxReader(FileBytes file, Path path, Scan scan) {
        this.file = file;
        this.roles = OnnxRoles.read(file, scan);
        file.seek(0);
        this.proto = new ProtoReader(file, scan.limits().headerBytes());
        this.tally = scan.tally();
        this.files = new OnnxExternal.Siblings(path, scan);
        this.tensor = new OnnxTensor(proto);
    }

    static Checkpoint read(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan)) {
            OnnxReader reader = new OnnxReader(file, path, scan);
            reader.model();
            scan.tally().requireDistinct(file);
            return reader.checkpoint();
        }
    }

    private void model() {
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.MODEL_IR_VERSION -> version = proto.varint();
                case OnnxField.MODEL_GRAPH -> readGraph();
                case OnnxField.MODEL_OPSET_IMPORT -> {
                    proto.skipBytes();
                    operatorsNamed = true;
                }
                default -> proto.skip();
            }
        }
        if (version < 1 || version > NEWEST_VERSION) {
            throw proto.error(
                    UNKNOWN_VERSION,
                    version == 0
                            ? "the model does not state its version of ONNX"
                            : "the model has the version " + version);
        }
        if (!graphRead) {
            throw proto.error(MALFORMED, "the model has no graph");
        }
        // Comes last in most files: if it is missing, the file has been cut.
        if (!operatorsNamed && version >= WITH_OPERATOR_SETS) {
            throw proto.error(MALFORMED, "the model names no set of operators; it may be cut off");
        }
    }

    private void readGraph() {
        if (graphRead) {
            throw proto.error(DUPLICATE, "the model has two graphs");
        }
        graphRead = true;
        graph(OUTER);
    }

    private Checkpoint checkpoint() {
        Provenance from = Provenance.of(file.name(), Provenance.Method.FILE, Provenance.Confidence.MEASURED);
        List<Checkpoint.File> all = new ArrayList<>();
        all.add(file.describe());
        all.addAll(files.list());
        try {
            return new Checkpoint(
                    Reading.known(ModelFormat.ONNX, from),
                    Reading.known(version, from),
                    graphName.isBlank() ? Reading.unknown(UnknownReason.NOT_STATED) : Reading.known(graphName, from),
                    all,
                    Reading.known(tally.tensors(), from),
                    parameters(from),
                    Reading.known(tally.bytes(), from),
                    tally.types(),
                    ModelArchitecture.UNKNOWN);
        } catch (ArithmeticException _) {
            throw CheckpointException.of(TOO_LARGE, file.name(), "has more than 2^63-1 numbers or 2^64-1 bytes");
        }
    }

    private Reading<Long> parameters(Provenance from) {
        if (packed) {
            return Reading.unknown(
                    UnknownReason.NOT_STATED, "operators of the model take several weights out of one byte");
        }
        return Long.compareUnsigned(unclear, tally.bytes().unsigned() / 2) > 0
                ? Reading.unknown(
                        UnknownReason.NOT_STATED,
                        "most of the numbers are small whole ones, which no known operator takes for weights")
                : Reading.known(parameters, from);
    }

    private void addParameters(String name, OnnxTensor.Held held) {
        if (held.type().isSmallWhole() && !roles.isParameter(name, held.type())) {
            unclear += held.type().bytes(held.elements());
        }
        if (roles.isParameter(name, held.type()) && (held.place().isEmpty() || places.add(held.place()))) {
            try {
                parameters = Math.addExact(parameters, held.elements());
            } catch (ArithmeticException _) {
                throw proto.error(TOO_LARGE, "the model has more than 2^63-1 numbers");
            }
        }
    }

    private void graph(String scope) {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.GRAPH_NODE -> node();
                case OnnxField.GRAPH_NAME -> {
                    String text = text();
                    graphName = scope.equals(OUTER) ? text : graphName;
                }
                case OnnxField.GRAPH_INITIALIZER -> initializer(scope);
                case OnnxField.GRAPH_SPARSE_INITIALIZER -> {
                    List<OnnxTensor.Held> values = new ArrayList<>();
                    sparse(scope, values);
                    values.forEach(value -> addParameters(value.name(), value));
                }
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    private void initializer(String scope) {
        tensor.read();
        if (!tensor.hasName()) {
            throw proto.error(MALFORMED, "an initializer has no name");
        }
        OnnxTensor.Held held = tensor.addTo(tally, file, files, scope);
        addParameters(held.name(), held);
    }

    private OnnxTensor.Held tensor(String scope) {
        tensor.read();
        return tensor.addTo(tally, file, files, scope);
    }

    private void node() {
        String operator = "";
        String domain = "";
        String output = "";
        List<OnnxTensor.Held> values = new ArrayList<>();
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.NODE_OUTPUT -> output = text();
                case OnnxField.NODE_OP_TYPE -> operator = text();
                case OnnxField.NODE_DOMAIN -> domain = text();
                case OnnxField.NODE_ATTRIBUTE -> attribute(values);
                default -> proto.skip();
            }
        }
        proto.leave(outer);
        packed |= domain.equals(MICROSOFT) && UNPACKING.contains(operator);
        if (operator.equals("Constant")) {
            String name = output;
            values.forEach(value -> addParameters(name, value));
        }
    }

    private void attribute(List<OnnxTensor.Held> values) {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.ATTRIBUTE_TENSOR, OnnxField.ATTRIBUTE_TENSORS ->
                    values.add(tensor(nextScope("attribute")));
                case OnnxField.ATTRIBUTE_GRAPH, OnnxField.ATTRIBUTE_GRAPHS -> graph(nextScope("graph"));
                case OnnxField.ATTRIBUTE_SPARSE_TENSOR, OnnxField.ATTRIBUTE_SPARSE_TENSORS ->
                    sparse(nextScope("attribute"), values);
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    /// Counts a sparse tensor as two: its values, under its name, and their indices.
    private void sparse(String scope, List<OnnxTensor.Held> values) {
        long outer = proto.enter();
        while (proto.next()) {
            switch (proto.field()) {
                case OnnxField.SPARSE_VALUES -> values.add(tensor(scope));
                case OnnxField.SPARSE_INDICES -> tensor(nextScope("indices"));
                default -> proto.skip();
            }
        }
        proto.leave(outer);
    }

    private String nextScope(String kind) {
        return kind + " " + ++inner + "/";
    }

    private String text() {
        return new String(proto.bytes(CheckpointReader.Limits.NAME_BYTES), StandardCharsets.UTF_8);
    }
}
