package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorRegistry;
import java.util.List;

/// Registries of made-up machines, for questions and for tests without hardware.
///
/// @since 0.1
public final class SyntheticHosts {
    private SyntheticHosts() {}

    /// Makes a registry of the hosts that a text describes, such as `2x[h100-sxm:8 nvswitch numa:2 cpu:1TiB ib:8x400]`;
    /// docs/command-line.md has the grammar. All hosts stand in one topology, and devices are numbered through.
    ///
    /// What the text says is [dev.muster.core.Provenance#GIVEN]; figures are those of the catalogue.
    ///
    /// @throws DeviceTextException if the text describes no hosts
    public static AcceleratorRegistry parse(String text, DeviceCatalogue catalogue) {
        List<HostDescription> hosts = HostGrammar.parse(text, catalogue);
        HostAssembly assembly = new HostAssembly(hosts.size());
        hosts.forEach(assembly::add);
        return assembly.build();
    }
}
