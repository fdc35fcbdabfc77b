package dev.muster.mesh.launch;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Who started the processes of a mesh, with the variables by which each process knows its place. The order is the
/// order in which they are believed: a launcher may itself have been started by one further down.
///
/// @since 0.1
public enum LaunchSource {
    /// torchrun, and everything that sets its variables, such as `muster mesh run`.
    TORCHRUN("torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK"),
    /// Open MPI's mpirun.
    OPEN_MPI(
            "Open MPI",
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE",
            "OMPI_COMM_WORLD_LOCAL_RANK",
            "OMPI_COMM_WORLD_LOCAL_SIZE",
            ""),
    /// MPICH's mpiexec, and others that speak PMI.
    MPICH("MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", ""),
    /// A LeaderWorkerSet of Kubernetes: one process in each pod of a group.
    LEADER_WORKER_SET("LeaderWorkerSet", "LWS_WORKER_INDEX", "LWS_GROUP_SIZE", "", "", ""),
    /// An indexed Job of Kubernetes: one process in each pod; how many there are is ours to say.
    INDEXED_JOB("an indexed Job", "JOB_COMPLETION_INDEX", "WORLD_SIZE", "", "", ""),
    /// Slurm's srun.
    SLURM("Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "", "SLURM_NODEID"),
    /// No launcher: one process by itself.
    NONE("no launcher", "", "", "", "", "");

    private final String title;
    private final List<String> variables;

    LaunchSource(String title, String... variables) {
        this.title = title;
        this.variables = Collections.unmodifiableList(Arrays.asList(variables));
    }

    /// The launcher's name for people.
    public String title() {
        return title;
    }

    /// The variable with the rank.
    String rank() {
        return variables.get(0);
    }

    String worldSize() {
        return variables.get(1);
    }

    /// The variable with the rank within the host; blank where there is none. The same holds for those below.
    String localRank() {
        return variables.get(2);
    }

    String localWorldSize() {
        return variables.get(3);
    }

    String groupRank() {
        return variables.get(4);
    }
}
