package dev.muster.detect.amd;

/// A link of the compute driver's topology, from one node to another.
///
/// @param type what it is made of: [#PCIE], [#XGMI] and others
/// @param from the node it starts at
/// @param to the node it leads to
/// @param weight how far the nodes are apart, in the driver's measure
/// @param maxBandwidth its rate in MB/s; 0 where the driver does not know it
record KfdLink(long type, int from, int to, long weight, long maxBandwidth) {
    static final long PCIE = 2;
    static final long XGMI = 11;
}
