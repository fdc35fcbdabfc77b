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

/// The facts that model files state. Immutable.
///
/// @param format the files' format; unknown for a configuration without weights
/// @param formatVersion the format's version, if it has one
/// @param name the model's name
/// @param files the files, in the order of the checkpoint
/// @param tensors number of tensors
/// @param parameters number of parameters; packed and quantized weights count as what they stand for
/// @param weightBytes bytes of the tensors
/// @param types the tensors by type, the type with most bytes first; empty if the files do not state it
/// @param architecture the architecture
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
    public Checkpoint {
        files = List.copyOf(files);
        types = List.copyOf(types);
    }

    /// Returns the size of all files.
    public Bytes fileBytes() {
        Bytes sum = Bytes.ZERO;
        for (File file : files) {
            sum = sum.plus(file.size());
        }
        return sum;
    }

    /// Returns the facts that planners need.
    ///
    /// @param given name to use if the files have none
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

    /// The share of a checkpoint in one storage type.
    ///
    /// @param type the type
    /// @param tensors number of tensors
    /// @param elements number of elements
    /// @param bytes size in bytes
    public record TypeShare(Tensor.Type type, long tensors, long elements, Bytes bytes) {}
}
