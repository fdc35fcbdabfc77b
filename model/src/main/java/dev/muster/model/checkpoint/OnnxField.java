// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

/// Field numbers of ONNX's messages. Source: `onnx.proto`, IR version 13 of 2025-11-06.
final class OnnxField {
    static final int MODEL_IR_VERSION = 1;
    static final int MODEL_GRAPH = 7;
    static final int MODEL_OPSET_IMPORT = 8;

    static final int GRAPH_NODE = 1;
    static final int GRAPH_NAME = 2;
    static final int GRAPH_INITIALIZER = 5;
    static final int GRAPH_SPARSE_INITIALIZER = 15;

    static final int NODE_INPUT = 1;
    static final int NODE_OUTPUT = 2;
    static final int NODE_OP_TYPE = 4;
    static final int NODE_ATTRIBUTE = 5;
    static final int NODE_DOMAIN = 7;

    static final int ATTRIBUTE_TENSOR = 5;
    static final int ATTRIBUTE_GRAPH = 6;
    static final int ATTRIBUTE_TENSORS = 10;
    static final int ATTRIBUTE_GRAPHS = 11;
    static final int ATTRIBUTE_SPARSE_TENSOR = 22;
    static final int ATTRIBUTE_SPARSE_TENSORS = 23;

    static final int SPARSE_VALUES = 1;
    static final int SPARSE_INDICES = 2;

    static final int DIMS = 1;
    static final int DATA_TYPE = 2;
    static final int FLOAT_DATA = 4;
    static final int INT32_DATA = 5;
    static final int STRING_DATA = 6;
    static final int INT64_DATA = 7;
    static final int TENSOR_NAME = 8;
    static final int RAW_DATA = 9;
    static final int DOUBLE_DATA = 10;
    static final int UINT64_DATA = 11;
    static final int EXTERNAL_DATA = 13;
    static final int DATA_LOCATION = 14;

    static final int ENTRY_KEY = 1;
    static final int ENTRY_VALUE = 2;

    private OnnxField() {}
}
