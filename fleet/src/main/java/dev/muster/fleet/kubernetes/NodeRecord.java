// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.AcceleratorProfile;
import dev.muster.fleet.Domain;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import java.util.List;
import java.util.Map;

/// The kept facts of a node.
///
/// @param name its name
/// @param state its state
/// @param devices its devices, by resources and labels
/// @param coresOfDevice the number of cores a Neuron device of it has
/// @param domains the domains that it shares with other nodes
/// @param restrictions its taints
/// @param labels labels about devices and places
record NodeRecord(
        String name,
        HostState state,
        List<AcceleratorProfile> devices,
        long coresOfDevice,
        List<Domain> domains,
        List<Restriction> restrictions,
        Map<String, String> labels) {}
