// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.Parallelism;

/// Equal requests that are all queued at once.
///
/// @param input tokens of each prompt
/// @param output tokens of each answer
/// @param requests number of requests
/// @param maxSequences largest number of running sequences of a replica
public record OfflineLoad(double input, double output, double requests, double maxSequences) {
    /// Returns the output tokens per second of all replicas.
    ///
    /// @param room bytes of a device for the KV cache
    public double tokensPerSecond(StepModel model, Parallelism layout, double room) {
        double replicas = layout.attentionDp();
        double running = running(room / model.sequenceBytes(input + output), replicas);
        double group = Math.max(1, running / layout.pp());
        double context = input + output / 2;
        double decode = model.stage(group, 1, context).seconds() / group;
        double share = requests / replicas;
        double drain = share > running ? output * model.stage(1, 1, context).seconds() / 2 : 0;
        double seconds = share * model.promptSeconds(input) + share * output * decode + drain;
        return requests * output / seconds;
    }

    private double running(double fitting, double replicas) {
        return Math.max(1, Math.min(Math.min(maxSequences, requests / replicas), fitting));
    }
}
