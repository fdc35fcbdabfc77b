package dev.muster.cli.doctor;

import dev.muster.cli.doctor.Check.Verdict;
import dev.muster.cli.render.Count;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.session.EngineChoice;
import dev.muster.mesh.session.EngineSurvey;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Checks of what a launcher has told this process.
final class LaunchChecks {
    /// How long a store gets to answer; a doctor's visit is short.
    private static final String STORE_LIMIT = "3s";

    private LaunchChecks() {}

    static Verdict variables(MeshPatient patient) {
        try {
            return Verdict.pass(
                    "this process is " + LaunchContext.from(patient.variables()).toString());
        } catch (LaunchException e) {
            return Verdict.fail(
                    String.valueOf(e.getMessage()), "set these variables anew, or start by 'muster mesh run'");
        }
    }

    static Verdict storeReachable(MeshPatient patient) {
        Optional<LaunchContext> context = context(patient);
        if (context.isEmpty()) {
            return Verdict.skip("the variables of a launcher cannot be read");
        }
        if (context.get().findStore().isEmpty()) {
            return context.get().worldSize() == 1
                    ? Verdict.skip("one process needs no store")
                    : Verdict.warn(
                            "MUSTER_STORE is not set, and there are "
                                    + Count.of(context.get().worldSize(), "rank"),
                            "set MUSTER_STORE and MUSTER_SECRET, or start by 'muster mesh run'");
        }
        try (Store store = context.get().openStore()) {
            store.find("doctor");
            return Verdict.pass("the store of MUSTER_STORE answers");
        } catch (StoreException | LaunchException e) {
            return Verdict.fail(
                    String.valueOf(e.getMessage()), "see that rank 0 or the launcher runs and can be reached");
        }
    }

    /// The place of this process, with a limit that suits a doctor.
    private static Optional<LaunchContext> context(MeshPatient patient) {
        Map<String, String> variables = new HashMap<>(patient.variables());
        variables.put("MUSTER_LIMIT", STORE_LIMIT);
        try {
            return Optional.of(LaunchContext.from(variables));
        } catch (LaunchException e) {
            return Optional.empty();
        }
    }

    /// An engine that needs somebody else's library; who does not ask for it needs none.
    static Verdict engine(MeshPatient patient, EngineChoice engine) {
        Optional<LaunchContext> context = context(patient);
        if (context.isEmpty()) {
            return Verdict.skip("the variables of a launcher cannot be read");
        }
        try {
            return Verdict.pass(EngineSurvey.describe(engine, context.get()));
        } catch (MeshException e) {
            return Verdict.skip(String.valueOf(e.getMessage()));
        }
    }

    static Verdict processorsEnough(MeshPatient patient) {
        int processors = patient.processors();
        Optional<Integer> ranks = localRanks(patient);
        if (ranks.isEmpty()) {
            return Verdict.pass(Count.of(processors, "processor") + ": up to so many ranks each have their own");
        }
        String message =
                Count.of(ranks.get(), "rank") + " of this host; this one may use " + Count.of(processors, "processor");
        return ranks.get() <= processors
                ? Verdict.pass(message)
                : Verdict.warn(
                        message + ": ranks take turns, and small messages take many times longer",
                        "start fewer, or let the launcher bind them to no processor: mpirun --bind-to none");
    }

    static Verdict devicesEnough(MeshPatient patient) {
        int devices = patient.accelerators();
        if (devices == 0) {
            return Verdict.skip("no accelerator was found; ranks work on the processor");
        }
        Optional<Integer> ranks = localRanks(patient);
        if (ranks.isEmpty()) {
            return Verdict.pass(Count.of(devices, "accelerator") + ": up to so many ranks each have their own");
        }
        String message = Count.of(ranks.get(), "rank") + " of this host on " + Count.of(devices, "accelerator");
        return ranks.get() <= devices
                ? Verdict.pass(message)
                : Verdict.warn(message + ": two ranks on one device cannot use NCCL", "start one rank for each device");
    }

    private static Optional<Integer> localRanks(MeshPatient patient) {
        return context(patient).flatMap(LaunchContext::findLocalWorldSize);
    }
}
