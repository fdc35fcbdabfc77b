package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineContext;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.launch.LaunchContext;
import java.util.Optional;

/// The backend `mpi`: a library of MPI, among processes that its mpirun started.
public final class MpiProvider implements EngineProvider {
    /// Its name.
    public static final String NAME = "mpi";

    @Override
    public String name() {
        return NAME;
    }

    /// Members of a part of the world wait for each other in MPI, which knows no limit: so they meet in the store
    /// first.
    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        if (group.size() < context.worldSize()) {
            context.exchange(group, NAME, new byte[0]);
        }
        MpiProcess process = MpiProcess.enter(MpiLibraries.usual());
        return new MpiGroups(process, context.processors(), context.inRankOrder()).open(group, context.worldSize());
    }

    @Override
    public boolean needsMpi() {
        return true;
    }

    @Override
    public Optional<String> findLibrary(LaunchContext context) {
        return Optional.of(MpiLibrary.load(MpiLibraries.of(context)).description());
    }
}
