// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// The division of layers among the stages of a pipeline, all of which wait for the fullest.
///
/// @param layers layers of the whole model
record StageLayout(double layers) {
    /// The number of layers that embedding, head and a head for the token after the next take: with them stages come
    /// out even, which is why models have 61 or 126 layers.
    private static final int OUTSIDE_LAYERS = 3;

    /// Returns the factor of filling and draining.
    ///
    /// @param virtualStages interleaved parts of a stage
    /// @param microBatches micro-batches of one pipeline
    static double filling(double stages, double virtualStages, double microBatches) {
        return 1 + (stages - 1) / (virtualStages * microBatches);
    }

    /// Returns the factor of waiting for the fullest stage, for the smallest head.
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

    /// Returns the factor of waiting for the fullest stage. If the layers divide among stages, the last stage has the
    /// head in addition; if not, the first and the last have fewer.
    ///
    /// @param head cost of the head, in layers
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
