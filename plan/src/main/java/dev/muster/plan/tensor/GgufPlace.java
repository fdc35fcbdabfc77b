package dev.muster.plan.tensor;

/// Where a tensor stands in a model, as the recipes of llama.cpp's quantizer ask it. Shares of layers are rounded
/// down, as there.
///
/// @param tensor the tensor
/// @param model the model
/// @param downs how many down projections stand before it; a shared expert's counts beside its layer's experts
record GgufPlace(ModelTensor tensor, GgufModel model, int downs) {
    TensorRole role() {
        return tensor.role();
    }

    int layer() {
        return tensor.layer();
    }

    /// Whether it turns the last layer into tokens.
    boolean isHead() {
        return role() == TensorRole.OUTPUT || (role() == TensorRole.EMBEDDING && model.isTied());
    }

    boolean isExpert() {
        return tensor.count() > 1;
    }

    boolean isInFirst16th() {
        return layer() < model.layers() / 16;
    }

    boolean isInFirst8th() {
        return layer() < model.layers() / 8;
    }

    boolean isInLast8th() {
        return layer() >= 7 * model.layers() / 8;
    }

    /// Whether it is in one of the layers that the `M` recipes give more bits: both ends, and every third between.
    boolean isInSensitiveLayer() {
        return isInFirst8th() || isInLast8th() || (layer() - model.layers() / 8) % 3 == 2;
    }
}
