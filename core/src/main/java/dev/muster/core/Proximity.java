package dev.muster.core;

/// How near two nodes are, in the words of `nvidia-smi topo`. Nearer comes first.
///
/// @since 0.1
public enum Proximity {
    /// The same node.
    SELF("X"),
    /// A device fabric such as NVLink or XGMI, directly or through its switches.
    FABRIC("NV"),
    /// At most one PCI Express switch between them.
    SINGLE_SWITCH("PIX"),
    /// Several PCI Express switches, but not the host's root.
    SWITCHES("PXB"),
    /// The host's root of PCI Express.
    HOST_BRIDGE("PHB"),
    /// The same NUMA node.
    NUMA_NODE("NODE"),
    /// The link between NUMA nodes.
    SYSTEM("SYS"),
    /// A network between hosts.
    NETWORK("NET"),
    /// Not joined as far as the topology knows.
    UNKNOWN("?");

    private final String word;

    Proximity(String word) {
        this.word = word;
    }

    /// The word in a matrix. Bundles of NVLink add their number, see [TopologyGraph#relation].
    public String word() {
        return word;
    }
}
