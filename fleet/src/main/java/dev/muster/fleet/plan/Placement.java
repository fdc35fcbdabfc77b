// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import java.util.Arrays;

/// Replicas by model and class of hosts. Confined to one thread.
final class Placement {
    final long[][] replicas;

    Placement(int models, int classes) {
        this.replicas = new long[models][classes];
    }

    long replicas(int model) {
        return Arrays.stream(replicas[model]).sum();
    }

    /// Sets of one replica of each model.
    long sets() {
        long sets = replicas.length == 0 ? 0 : Long.MAX_VALUE;
        for (int model = 0; model < replicas.length; model++) {
            sets = Math.min(sets, replicas(model));
        }
        return sets;
    }

    /// The model of which there are fewest.
    int scarcest() {
        int scarcest = 0;
        for (int model = 1; model < replicas.length; model++) {
            scarcest = replicas(model) < replicas(scarcest) ? model : scarcest;
        }
        return scarcest;
    }
}
