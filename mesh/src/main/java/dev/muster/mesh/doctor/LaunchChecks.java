// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.doctor;

import dev.muster.core.Finding;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchException;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Checks of what a launcher has told this process.
///
/// @param doctor the asking doctor
record LaunchChecks(MeshDoctor doctor) {
    /// The time that a store gets to answer; a doctor's visit is short.
    private static final String STORE_LIMIT = "3s";

    private static final String UNREADABLE = "the variables of a launcher cannot be read";

    Finding variables() {
        String id = "mesh.launch.variables";
        try {
            return Finding.pass(id, "this process is " + LaunchContext.from(doctor.variables()));
        } catch (LaunchException e) {
            return Finding.fail(
                    id, String.valueOf(e.getMessage()), "correct these variables, or use 'muster mesh run'");
        }
    }

    Finding storeReachable() {
        String id = "mesh.store.reachable";
        Optional<LaunchContext> context = context();
        if (context.isEmpty()) {
            return Finding.skip(id, UNREADABLE);
        }
        if (!context.get().hasStore()) {
            int ranks = context.get().worldSize();
            return ranks == 1
                    ? Finding.skip(id, "one process needs no store")
                    : Finding.warn(
                            id,
                            "MUSTER_STORE is not set, and there are " + ranks + " ranks",
                            "set MUSTER_STORE and MUSTER_SECRET, or use 'muster mesh run'");
        }
        try (Store store = context.get().openStore()) {
            store.find("doctor");
            return Finding.pass(id, "the store of MUSTER_STORE answers");
        } catch (StoreException | LaunchException e) {
            return Finding.fail(
                    id, String.valueOf(e.getMessage()), "check that rank 0 or the launcher is running and reachable");
        }
    }

    /// The place of this process, with a limit that suits a doctor.
    private Optional<LaunchContext> context() {
        Map<String, String> variables = new HashMap<>(doctor.variables());
        variables.put("MUSTER_LIMIT", STORE_LIMIT);
        try {
            return Optional.of(LaunchContext.from(variables));
        } catch (LaunchException e) {
            return Optional.empty();
        }
    }

    /// The library of others that a backend needs; who does not ask for the backend needs none.
    Optional<Finding> library(EngineProvider backend) {
        String id = "mesh.backend." + backend.name();
        try {
            return context().flatMap(backend::findLibrary).map(library -> Finding.pass(id, library));
        } catch (GroupException e) {
            return Optional.of(Finding.skip(id, String.valueOf(e.getMessage())));
        }
    }

    Finding processorsEnough() {
        return enough(
                "mesh.processors.enough",
                doctor.processors(),
                "processor",
                " of this host; this one may use ",
                ": ranks take turns, and small messages take many times longer",
                "start fewer, or let the launcher bind them to no processor: mpirun --bind-to none");
    }

    Finding devicesEnough() {
        String id = "mesh.devices.enough";
        return doctor.accelerators() == 0
                ? Finding.skip(id, "no accelerator found; ranks use the CPU")
                : enough(
                        id,
                        doctor.accelerators(),
                        "accelerator",
                        " of this host on ",
                        ": two ranks on one device cannot use NCCL",
                        "start one rank for each device");
    }

    private Finding enough(String id, int there, String thing, String between, String problem, String next) {
        Optional<Integer> ranks = context().flatMap(LaunchContext::findLocalWorldSize);
        String things = MeshDoctor.count(there, thing);
        if (ranks.isEmpty()) {
            return Finding.pass(id, things + ": up to so many ranks each have their own");
        }
        String message = MeshDoctor.count(ranks.get(), "rank") + between + things;
        return ranks.get() <= there ? Finding.pass(id, message) : Finding.warn(id, message + problem, next);
    }
}
