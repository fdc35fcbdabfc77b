package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.doctor.MeshDoctor;
import dev.muster.cli.doctor.MeshPatient;
import dev.muster.mesh.shm.SharedMemoryHost;
import java.util.List;

/// `muster mesh doctor`: what keeps ranks of a mesh from working together on this machine, and what to do about it.
final class MeshDoctorCommand implements Command {
    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "mesh doctor",
                "say what keeps processes from working together",
                "",
                0,
                List.of(),
                List.of(),
                DoctorReport.EXITS,
                List.of(
                        new Example("muster mesh doctor", "examine this machine"),
                        new Example(
                                "muster mesh run -n 2 -- muster mesh doctor",
                                "examine what a launcher tells its processes")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.ofReport(arguments);
        CommonOptions.refuse(arguments, CommonOptions.SOURCE, "mesh doctor examines this machine as it is");
        int accelerators = (int) session.detect().registry().profiles().stream()
                .filter(profile -> !profile.accelerator().family().text().equals("cpu"))
                .count();
        MeshPatient patient = new MeshPatient(
                session.host().variables(),
                SharedMemoryHost.ofThisHost(),
                Runtime.getRuntime().availableProcessors(),
                accelerators);
        return DoctorReport.print(MeshDoctor.examine(patient), format, session);
    }
}
