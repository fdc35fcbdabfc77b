// SPDX-License-Identifier: Apache-2.0
/// How the parts of a host are joined: NUMA nodes, the tree of PCI Express, network ports, and topologies that virtual
/// machines publish because they hide the real ones.
@NullMarked
package dev.muster.detect.fabric;

import org.jspecify.annotations.NullMarked;
