// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

/// Colours and lines of the picture of a plan. Fills are those of Okabe and Ito, which remain distinct with colour
/// blindness; each has a place in the bar and a name in the legend beside.
final class PlanStyle {
    static final String LIGHT = """
            .host { fill: #f4f6f9; stroke: #97a1b2; stroke-width: 1.2; }
            .group { fill: #ffffff; stroke: #b6bfcd; }
            .device { fill: #edf0f5; stroke: #97a1b2; }
            .free { fill: #ffffff; stroke: #97a1b2; stroke-width: 0.8; }
            .memory-weights { fill: #0072b2; }
            .memory-cache { fill: #e69f00; }
            .memory-gradients { fill: #56b4e9; }
            .memory-optimizer { fill: #009e73; }
            .memory-activations { fill: #e69f00; }
            .memory-workspace { fill: #8c8c8c; }
            .end { stroke: #d55e00; fill: none; }
            .plot { fill: #ffffff; stroke: #97a1b2; }
            .grid { stroke: #e1e5ec; fill: none; }
            .ridge { stroke: #97a1b2; stroke-dasharray: 2 3; fill: none; }
            .roof { stroke: #97a1b2; stroke-dasharray: 6 3; fill: none; }
            .roof-used { stroke: #1f2733; fill: none; }
            .drop { stroke: #76819a; stroke-dasharray: 3 3; fill: none; }
            .mark-0 { fill: #d55e00; stroke: #ffffff; }
            .mark-1 { fill: #0072b2; stroke: #ffffff; }
            """;

    static final String DARK = """
            .host { fill: #1b212b; stroke: #5d6879; }
            .group { fill: #222a36; stroke: #4b5667; }
            .device { fill: #2a3341; stroke: #5d6879; }
            .free { fill: #14181f; stroke: #5d6879; }
            .plot { fill: #1b212b; stroke: #5d6879; }
            .grid { stroke: #2e3744; }
            .ridge { stroke: #5d6879; }
            .roof-used { stroke: #e6eaf0; }
            .mark-0 { stroke: #14181f; }
            .mark-1 { fill: #56b4e9; stroke: #14181f; }
            """;

    private PlanStyle() {}
}
