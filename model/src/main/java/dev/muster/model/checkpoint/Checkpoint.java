// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelFormat;
import dev.muster.model.ModelSummary;
import dev.muster.model.Tensor;
import dev.muster.model.tensor.ParameterCount;
import java.util.List;

/// What model files say of themselves. Immutable.
///
/// @param format the files' format; unknown where there is a configuration and no weights
/// @param formatVersion the format's version, where it has one
/// @param name what the model is called
/// @param files the files, in the order of the checkpoint
/// @param tensors how many tensors there are
/// @param parameters how many parameters the model has; packed and quantized weights count as what they stand for
/// @param weightBytes what the tensors take
/// @param types the tensors by type, the type with most bytes first; empty where the files do not say
/// @param architecture how the model is built
/// @since 0.1
public record Checkpoint(
        Reading<ModelFormat> format,
        Reading<Long> formatVersion,
        Reading<String> name,
        List<File> files,
        Reading<Long> tensors,
        Reading<Long> parameters,
        Reading<Bytes> weightBytes,
        List<TypeShare> types,
        ModelArchitecture architecture) {
    /// Copies the lists.
    public Checkpoint {
        files = List.copyOf(files);
        types = List.copyOf(types);
    }

    /// The size of all files.
    public Bytes fileBytes() {
        Bytes sum = Bytes.ZERO;
        for (File file : files) {
            sum = sum.plus(file.size());
        }
        return sum;
    }

    /// What planners need of it.
    ///
    /// @param given what to call it where the files have no name
    public ModelSummary toSummary(String given) {
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        Reading<Long> active = architecture.hasExperts() ? counted.map(ParameterCount::active) : parameters;
        return new ModelSummary(name.find().orElse(given), given, parameters, active, weightBytes, architecture);
    }

    /// One file of a checkpoint.
    ///
    /// @param name its name, without its folder
    /// @param size its size
    public record File(String name, Bytes size) {}

    /// What a checkpoint holds in one type of numbers.
    ///
    /// @param type the type
    /// @param tensors how many tensors
    /// @param elements how many numbers they have
    /// @param bytes how many bytes they take
    public record TypeShare(Tensor.Type type, long tensors, long elements, Bytes bytes) {}
}
