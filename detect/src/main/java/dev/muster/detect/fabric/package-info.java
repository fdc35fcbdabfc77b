// SPDX-License-Identifier: Apache-2.0
/// The connections between the parts of a host: NUMA nodes, the tree of PCI Express, network ports, and topologies that
/// virtual machines publish because they hide the real ones.
@NullMarked
package dev.muster.detect.fabric;

import org.jspecify.annotations.NullMarked;
