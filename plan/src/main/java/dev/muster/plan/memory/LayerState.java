package dev.muster.plan.memory;

import static dev.muster.plan.model.ModelDimension.STATE_CONVOLUTION;
import static dev.muster.plan.model.ModelDimension.STATE_GROUPS;
import static dev.muster.plan.model.ModelDimension.STATE_HEADS;
import static dev.muster.plan.model.ModelDimension.STATE_KEY_SIZE;
import static dev.muster.plan.model.ModelDimension.STATE_VALUE_SIZE;

import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;

/// What a layer of Mamba or linear attention keeps of a sequence, however long it is: a matrix of keys by values for
/// each head, and the last inputs of its convolution.
///
/// @since 0.1
public final class LayerState {
    /// Published configurations of Qwen 3.5 and Nemotron 3 ask for states in 32 bits (2026).
    private static final long BYTES = 4;

    /// Wider numbers are no architecture, and products of them no bytes.
    private static final long MAX_FACTOR = 1 << 12;

    private LayerState() {}

    /// Bytes of one layer and sequence; 0 where the architecture does not say how large states are.
    public static long bytes(ModelArchitecture architecture) {
        if (!architecture.hasStates()) {
            return 0;
        }
        long heads = bounded(architecture, STATE_HEADS);
        long keys = bounded(architecture, STATE_KEY_SIZE);
        long values = bounded(architecture, STATE_VALUE_SIZE);
        long convolved = 2 * bounded(architecture, STATE_GROUPS) * keys + heads * values;
        long inputs = Math.max(0, bounded(architecture, STATE_CONVOLUTION) - 1);
        return BYTES * (heads * keys * values + inputs * convolved);
    }

    private static long bounded(ModelArchitecture architecture, ModelDimension dimension) {
        return Math.min(MAX_FACTOR, architecture.find(dimension).orElse(0));
    }
}
