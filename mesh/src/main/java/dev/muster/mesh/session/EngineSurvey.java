package dev.muster.mesh.session;

import dev.muster.mesh.gloo.GlooConnector;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.mpi.MpiLibraries;
import dev.muster.mesh.nccl.NcclConnector;
import dev.muster.mesh.nccl.NcclKind;

/// Which libraries of others the engines find here. Libraries are loaded and asked who they are; nothing is begun with
/// them, and no other rank is needed.
///
/// @since 0.1
public final class EngineSurvey {
    private EngineSurvey() {}

    /// What an engine would use here, with its version.
    ///
    /// @throws dev.muster.mesh.collective.MeshException `unavailable` if it cannot be used, with the reason
    public static String describe(EngineChoice engine, LaunchContext context) {
        return switch (engine) {
            case MPI, HIER_MPI -> MpiLibraries.describe(MpiLibraries.of(context));
            case GLOO, HIER_GLOO ->
                GlooConnector.describe(context.findGlooShim().orElse(GlooConnector.LIBRARY));
            case NCCL -> NcclConnector.of(NcclKind.NCCL, localRank(context)).prepare();
            case RCCL -> NcclConnector.of(NcclKind.RCCL, localRank(context)).prepare();
            case AUTO, LOCAL, SHM, TCP, HIER -> engine.text() + " needs nothing but Java";
        };
    }

    private static int localRank(LaunchContext context) {
        return context.findLocalRank().orElse(0);
    }
}
