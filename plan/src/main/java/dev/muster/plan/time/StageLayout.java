// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// How layers are shared out among the stages of a pipeline, all of which wait for the fullest.
///
/// @param layers of the whole model
record StageLayout(double layers) {
    /// Embedding, head and a head for the token after the next take up to about as much as so many layers: with them
    /// stages come out even, which is why models have 61 layers or 126.
    private static final int OUTSIDE_LAYERS = 3;

    /// What filling and draining makes of the work.
    ///
    /// @param virtualStages parts of a stage that take turns
    /// @param microBatches pieces that one pipeline works through
    static double filling(double stages, double virtualStages, double microBatches) {
        return 1 + (stages - 1) / (virtualStages * microBatches);
    }

    /// What waiting for the fullest stage makes of the work, at the least of all heads.
    double least(double stages) {
        if (stages == 1) {
            return 1;
        }
        double least = Double.MAX_VALUE;
        for (int outside = 0; outside <= OUTSIDE_LAYERS; outside++) {
            double all = layers + outside;
            least = Math.min(least, Math.ceil(all / stages) * stages / all);
        }
        return least;
    }

    /// What waiting for the fullest stage makes of the work. Layers that divide among stages are divided, and the last
    /// stage has the head beside them; where they do not, the first and the last have fewer.
    ///
    /// @param head what the head takes, in layers
    double fullest(double stages, double head) {
        if (stages == 1) {
            return 1;
        }
        double fullest = layers / stages + head;
        if (layers % stages != 0) {
            fullest = Double.MAX_VALUE;
            for (int outside = 0; outside <= OUTSIDE_LAYERS; outside++) {
                double most = Math.ceil((layers + outside) / stages);
                double last = most - Math.ceil(outside / 2.0) + head;
                fullest = Math.min(fullest, Math.max(most, last));
            }
        }
        return fullest * stages / (layers + head);
    }
}
