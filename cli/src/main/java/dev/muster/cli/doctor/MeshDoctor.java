package dev.muster.cli.doctor;

import dev.muster.mesh.session.EngineChoice;
import java.util.List;

/// What may keep the ranks of a mesh from working together on this machine. Unlike the checks of [Doctor],
/// some of these try the thing itself: they share memory, open sockets and sum numbers, each within a
/// deadline.
public final class MeshDoctor {
    private static final List<Check<MeshPatient>> CHECKS = List.of(
            new Check<>("mesh.launch.variables", LaunchChecks::variables),
            new Check<>("mesh.store.reachable", LaunchChecks::storeReachable),
            new Check<>("mesh.processors.enough", LaunchChecks::processorsEnough),
            new Check<>("mesh.devices.enough", LaunchChecks::devicesEnough),
            new Check<>("mesh.memory.shared", EngineChecks::memoryShared),
            new Check<>("mesh.memory.clean", EngineChecks::memoryClean),
            new Check<>("mesh.sockets.work", EngineChecks::socketsWork),
            new Check<>("mesh.files.enough", EngineChecks::filesEnough),
            new Check<>("mesh.engine.mpi", patient -> LaunchChecks.engine(patient, EngineChoice.MPI)),
            new Check<>("mesh.engine.gloo", patient -> LaunchChecks.engine(patient, EngineChoice.GLOO)),
            new Check<>("mesh.engine.nccl", patient -> LaunchChecks.engine(patient, EngineChoice.NCCL)),
            new Check<>("mesh.engine.rccl", patient -> LaunchChecks.engine(patient, EngineChoice.RCCL)));

    private MeshDoctor() {}

    /// Examines this machine.
    public static List<Finding> examine(MeshPatient patient) {
        return CHECKS.stream().map(check -> check.examine(patient)).toList();
    }
}
