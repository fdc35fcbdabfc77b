// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.gloo.GlooProvider;
import dev.muster.mesh.hier.HierProvider;
import dev.muster.mesh.mpi.MpiProvider;
import dev.muster.mesh.nccl.NcclKind;
import dev.muster.mesh.nccl.NcclProvider;
import dev.muster.mesh.shm.LocalRegions;
import dev.muster.mesh.shm.ShmProvider;
import dev.muster.mesh.tcp.TcpProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// The backends that can carry process groups here: those of Muster, and those that [ServiceLoader] finds.
///
/// @since 0.1
public final class Backends {
    /// The best that all members of a group can use: no backend, but the choice of one.
    public static final String AUTO = "auto";

    private Backends() {}

    /// Those of Muster. A new one is a line here.
    private static List<EngineProvider> builtIn() {
        return List.of(
                new LocalRegions(Runtime.getRuntime().availableProcessors()),
                new ShmProvider(),
                new TcpProvider(),
                new HierProvider("hier", new TcpProvider()),
                new HierProvider("hier-mpi", new MpiProvider()),
                new HierProvider("hier-gloo", new GlooProvider()),
                new MpiProvider(),
                new GlooProvider(),
                new NcclProvider(NcclKind.NCCL),
                new NcclProvider(NcclKind.RCCL));
    }

    /// All of them: those of Muster first, and new ones with each call.
    public static List<EngineProvider> list() {
        List<EngineProvider> all = new ArrayList<>(builtIn());
        ServiceLoader.load(EngineProvider.class).forEach(all::add);
        return all;
    }

    /// The one of that name.
    public static Optional<EngineProvider> find(String name) {
        return find(list(), name);
    }

    static Optional<EngineProvider> find(List<EngineProvider> providers, String name) {
        return providers.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst();
    }

    /// Returns the accepted names: [#AUTO] and the names of all.
    public static List<String> names() {
        List<String> names = new ArrayList<>(List.of(AUTO));
        list().forEach(provider -> names.add(provider.name()));
        return names;
    }
}
