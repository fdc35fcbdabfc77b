// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

/// Colours and lines of the picture of a machine.
final class TopologyStyle {
    static final String LIGHT = """
            .host { fill: #f4f6f9; stroke: #97a1b2; stroke-width: 1.2; }
            .numa { fill: #ffffff; stroke: #b6bfcd; }
            .bridge { fill: #edf0f5; stroke: #c2cad6; }
            .cpu { fill: #e4e8ee; stroke: #76819a; }
            .gpu { fill: #e2f3e5; stroke: #3f8f52; }
            .npu { fill: #ece5f8; stroke: #7a58b4; }
            .tpu { fill: #fdedda; stroke: #c77f2c; }
            .ai-asic { fill: #fbe3e6; stroke: #ba5562; }
            .nic { fill: #dfeefb; stroke: #3f7fb5; }
            .bar { fill: #ffffff; stroke: #d5dbe5; stroke-width: 0.8; }
            .used { fill: #3f8f52; }
            .unhealthy { stroke: #c62828; stroke-width: 2; }
            .unavailable { stroke-dasharray: 4 3; opacity: 0.65; }
            .socket { stroke: #76819a; stroke-width: 4; fill: none; }
            .nvlink, .nvlink-c2c { stroke: #6a9e12; fill: none; }
            .xgmi { stroke: #d1583a; fill: none; }
            .xe-link, .ici, .neuron-link, .accelerator-ethernet { stroke: #2f72c4; fill: none; }
            .infiniband, .roce, .ethernet { stroke: #3f7fb5; fill: none; }
            .switch { fill: #f1f7e4; stroke-width: 1.6; }
            .switch.xgmi { fill: #fdeee9; }
            .switch.xe-link, .switch.ici, .switch.neuron-link, .switch.accelerator-ethernet,
            .switch.infiniband, .switch.roce, .switch.ethernet { fill: #e8f1fb; }
            .mesh { stroke-dasharray: 6 3; }
            .down { stroke: #c62828; stroke-dasharray: 3 3; }
            """;

    static final String DARK = """
            .host { fill: #1b212b; stroke: #5d6879; }
            .numa { fill: #222a36; stroke: #4b5667; }
            .bridge { fill: #2a3341; stroke: #4b5667; }
            .cpu { fill: #303a49; stroke: #8a95a8; }
            .gpu { fill: #1f3d28; stroke: #5fb574; }
            .npu { fill: #332a49; stroke: #a386dc; }
            .tpu { fill: #453319; stroke: #e0a050; }
            .ai-asic { fill: #46262b; stroke: #dd808c; }
            .nic { fill: #1d3547; stroke: #6aa7d8; }
            .bar { fill: #14181f; stroke: #4b5667; }
            .switch { fill: #28331a; }
            .switch.xgmi { fill: #3f241c; }
            .switch.xe-link, .switch.ici, .switch.neuron-link, .switch.accelerator-ethernet,
            .switch.infiniband, .switch.roce, .switch.ethernet { fill: #1c2f45; }
            """;

    private TopologyStyle() {}
}
