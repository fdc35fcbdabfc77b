// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.time.ExplainedTerms;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.training.OffloadStore;

/// The cost of offloading training states, as DeepSpeed and FSDP do it: gradients go down in 16 bits, the processor
/// takes the optimizer's step on its states, weights come back in 16 bits.
///
/// The optimizer's step and its moves are not hidden. Weights that are loaded layer by layer are overlapped with the
/// passes.
///
/// @param store place of the states
/// @param perHost devices of each host, which share its memory and its drives
/// @param load load of the method
/// @param parameters all numbers of the model
record OffloadCost(OffloadStore store, int perHost, TrainingLoad load, double parameters) {
    private static final double HALF = 2;
    /// Weights in 32 bits and two moments.
    private static final double STATES = 12;
    /// Bytes read and written by Adam's step: the states, the gradient, and the weight in 16 bits.
    private static final double STEP = 2 * STATES + 2 * HALF;
    /// Loads of a layer: for the forward and for the backward pass.
    private static final double COMES = 2;

    /// Returns the offloaded bytes of each device.
    double bytes(TrainingRun run) {
        return switch (run.offload()) {
            case NONE -> 0;
            case OPTIMIZER -> (STATES + HALF) * trained(run);
            case ALL -> (STATES + HALF) * trained(run) + weights(run);
        };
    }

    double room(TrainingRun run) {
        return store.bytes() / neighbours(run);
    }

    /// Returns the exposed seconds of one device for each token.
    ///
    /// @param work seconds of one device for each token that passes take
    double seconds(TrainingRun run, double work) {
        if (run.offload() == Offload.NONE) {
            return 0;
        }
        double tokens = run.globalBatch() * run.sequence() / run.devices();
        return stepSeconds(run) / tokens + Math.max(0, streamSeconds(run) / tokens - work);
    }

    /// Records the exposed time of a step.
    ///
    /// @param work seconds of one device for each token that passes take
    void explain(TrainingRun run, double work, StepLedger ledger) {
        if (run.offload() == Offload.NONE) {
            return;
        }
        double tokens = run.globalBatch() * run.sequence() / run.devices();
        double moves = run.offload() == Offload.OPTIMIZER ? 2 * HALF * trained(run) : 0;
        double shown = Math.max(0, streamSeconds(run) / tokens - work);
        ExplainedTerms terms = new ExplainedTerms(tokens, ledger);
        terms.moves(
                StepTerm.StepPart.OFFLOAD,
                "the optimizer's step outside",
                (isOnDrives() ? 2 * STATES : STEP) * trained(run) / tokens,
                (stepSeconds(run) - moves / store.link()) / tokens);
        terms.moves(
                StepTerm.StepPart.OFFLOAD, "gradients down, weights up", moves / tokens, moves / store.link() / tokens);
        terms.moves(StepTerm.StepPart.OFFLOAD, "weights that come too late", streamBytes(run) / tokens, shown);
    }

    /// Returns the time of the optimizer's step on the host, and of its moves.
    double stepSeconds(TrainingRun run) {
        double processor = STEP * trained(run) / (store.memoryRate() / neighbours(run));
        double drives = isOnDrives() ? 2 * STATES * trained(run) / driveRate(run) : 0;
        double moves = run.offload() == Offload.OPTIMIZER ? 2 * HALF * trained(run) / store.link() : 0;
        return Math.max(processor, drives) + moves;
    }

    /// Returns the time of weights that are loaded for each pass of each piece; gradients go the other way meanwhile.
    double streamSeconds(TrainingRun run) {
        if (run.offload() != Offload.ALL) {
            return 0;
        }
        return streamBytes(run) / (isOnDrives() ? Math.min(store.link(), driveRate(run)) : store.link());
    }

    private double streamBytes(TrainingRun run) {
        return run.offload() == Offload.ALL ? COMES * run.microBatches() * weights(run) : 0;
    }

    private boolean isOnDrives() {
        return store.place() == OffloadStore.Place.DISK;
    }

    private double driveRate(TrainingRun run) {
        return store.driveRate() / neighbours(run);
    }

    /// Returns the devices that use the same host.
    private double neighbours(TrainingRun run) {
        return Math.min(perHost, run.devices());
    }

    /// Returns the numbers that the optimizer of one device updates.
    private double trained(TrainingRun run) {
        double all = load.isAdapter() ? load.allAdapterNumbers() : load.trainedModels() * parameters;
        return all / sharers(run);
    }

    /// Returns the bytes of the weights of one device.
    private double weights(TrainingRun run) {
        double each = load.isAdapter() ? load.frozenBytes() : HALF * (load.trainedModels() + load.frozenModels());
        return each * parameters / sharers(run);
    }

    private static double sharers(TrainingRun run) {
        double replicas = run.sharding() == Sharding.NONE ? 1 : run.replicas() * run.cp();
        return run.tp() * run.pp() * replicas;
    }
}
