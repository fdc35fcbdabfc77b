// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.launch.LaunchContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The backend `mpi`: a library of MPI, among processes that its mpirun started.
public final class MpiProvider implements EngineProvider {
    /// Its name.
    public static final String NAME = "mpi";

    private static final String OPEN_MPI = "libmpi.so.40";
    private static final List<String> MPICH = List.of("libmpich.so.12", "libmpi.so.12");
    /// The ABI of the standard: as laid down, before that, and of any version.
    private static final List<String> ABI = List.of("libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so");

    @Override
    public String name() {
        return NAME;
    }

    /// The libraries to look for: the one that `MUSTER_MPI_LIBRARY` names; else all that are known, those first that
    /// belong to who started this process, then the most widespread.
    public static List<String> libraries(LaunchContext context) {
        Optional<String> named = context.findSetting("MUSTER_MPI_LIBRARY");
        if (named.isPresent()) {
            return List.of(named.get());
        }
        boolean mpich = context.isStartedByMpich();
        List<String> names = new ArrayList<>(mpich ? MPICH : List.of(OPEN_MPI));
        names.addAll(ABI);
        names.addAll(mpich ? List.of(OPEN_MPI) : MPICH);
        return names;
    }

    /// Members of a part of the world wait for each other in MPI, which knows no limit: so they meet in the store
    /// first. A session has entered MPI before it opens a group.
    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        MpiProcess process = MpiProcess.enter(libraries(LaunchContext.from(Map.of())));
        boolean isWorld = group.size() == context.worldSize();
        boolean hasLosses = isWorld && process.size() > context.worldSize() && group.incarnation() > 1;
        if (hasLosses) {
            process.requireSurvival(group.name(), context.worldSize());
        }
        if (hasLosses || !isWorld) {
            context.exchange(group, NAME, new byte[0]);
        }
        if (hasLosses) {
            process.shrink(group.name(), context.limit());
        }
        return MpiEngine.open(process, group, context.worldSize(), context.processors(), context.inRankOrder());
    }

    @Override
    public boolean needsMpi() {
        return true;
    }

    @Override
    public Optional<String> findLibrary(LaunchContext context) {
        return Optional.of(MpiLibrary.load(libraries(context)).description());
    }
}
