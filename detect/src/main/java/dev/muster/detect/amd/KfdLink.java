// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import java.util.Map;
import java.util.Optional;

/// A link of the compute driver's topology, from one node to another.
///
/// @param type kind of link: [#XGMI] and others
/// @param to the node it leads to
/// @param maxBandwidth its rate in MB/s; 0 where the driver does not know it
record KfdLink(long type, int to, long maxBandwidth) {
    static final long XGMI = 11;

    private static final int MAX_NODE = 4096;

    /// Reads a link; nothing where its end is missing.
    static Optional<KfdLink> parse(String text) {
        Map<String, Long> values = KfdNode.properties(text);
        return Optional.ofNullable(values.get("node_to"))
                .filter(value -> value >= 0 && value <= MAX_NODE)
                .map(node -> new KfdLink(
                        values.getOrDefault("type", 0L), node.intValue(), values.getOrDefault("max_bandwidth", 0L)));
    }
}
