// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The weights of a model in a format, tensor by tensor. Without the file's header: names, metadata and tokenizer are
/// a few MB beside gigabytes. Immutable.
///
/// @param tensors all tensors
public record StoredWeights(List<StoredTensor> tensors) {
    /// Larger than any published matrix; bits of smaller ones with their scales stay below 2^63. Vision and audio
    /// parts, which have no scales, are one number each and may be larger.
    private static final long MAX_SIDE = 1L << 28;

    public StoredWeights {
        tensors = List.copyOf(tensors);
    }

    /// Returns the weights of an architecture in a format; unknown if the architecture lacks a number. Models with
    /// latent attention scale their 8-bit numbers block by block.
    public static Reading<StoredWeights> of(ModelArchitecture architecture, WeightFormat format) {
        return switch (format) {
            case StandardFormat standard -> {
                StandardFormat stored = standard == StandardFormat.FP8 && architecture.hasLatentAttention()
                        ? StandardFormat.FP8_BLOCK
                        : standard;
                yield of(architecture, tensor -> store(tensor, stored));
            }
            case GgufFormat gguf -> GgufMix.of(gguf).weights(architecture);
        };
    }

    /// Returns every tensor of an architecture as stored, in the order of files; unknown if the architecture lacks a
    /// number.
    static Reading<StoredWeights> of(ModelArchitecture architecture, Function<ModelTensor, StoredTensor> store) {
        Reading<List<ModelTensor>> tensors = ModelTensors.read(architecture);
        try {
            return tensors.map(all -> {
                List<StoredTensor> stored = new ArrayList<>();
                for (ModelTensor tensor : all) {
                    stored.add(store.apply(tensor));
                }
                return new StoredWeights(stored);
            });
        } catch (ArithmeticException _) {
            return Reading.unknown(UnknownReason.UNREADABLE, "the architecture has more than 2^63-1 bits");
        }
    }

    /// Returns the bytes of all weights.
    public Bytes total() {
        Bytes sum = Bytes.ZERO;
        for (StoredTensor tensor : tensors) {
            sum = sum.saturatingPlus(tensor.bytes());
        }
        return sum;
    }

    /// Returns a tensor in a format of checkpoints on the Hugging Face Hub, with its scales.
    private static StoredTensor store(ModelTensor tensor, StandardFormat format) {
        StandardFormat stored = holds(format, tensor) ? format : StandardFormat.BF16;
        boolean isScaled = stored.weightBits() < 16;
        if (isScaled && (tensor.rows() > MAX_SIDE || tensor.columns() > MAX_SIDE)) {
            throw new ArithmeticException("a matrix of " + tensor.rows() + " x " + tensor.columns());
        }
        long bits = bits(stored, tensor.rows(), tensor.columns());
        return new StoredTensor(
                tensor, stored.label(), Bytes.of(Math.multiplyExact(tensor.count(), groups(bits, Byte.SIZE))));
    }

    private static long bits(StandardFormat format, long rows, long columns) {
        long plain = Math.multiplyExact(format.weightBits(), Math.multiplyExact(rows, columns));
        return switch (format) {
            case FP32, BF16, FP16 -> plain;
            case FP8 -> plain + 32;
            case FP8_BLOCK -> plain + 32 * groups(rows, 128) * groups(columns, 128);
            case INT8 -> plain + 16 * rows;
            case AWQ_INT4 -> plain + (16 + 4) * rows * groups(columns, 128);
            case GPTQ_INT4 -> plain + (16 + 4) * rows * groups(columns, 128) + 32 * columns;
            case NF4 -> {
                long scales = groups(rows * columns, 64);
                yield plain + 8 * scales + 32 * groups(scales, 256);
            }
            case MXFP4 -> plain + 8 * rows * groups(columns, 32);
            case NVFP4 -> plain + 8 * rows * groups(columns, 16) + 32;
        };
    }

    /// Reports whether a tensor has the bits of the format, rather than 16.
    private static boolean holds(StandardFormat format, ModelTensor tensor) {
        return switch (format) {
            case FP32, BF16, FP16 -> true;
            case FP8, FP8_BLOCK, INT8, AWQ_INT4, GPTQ_INT4, NF4, NVFP4 -> isLinear(tensor.role());
            case MXFP4 -> tensor.count() > 1 && isLinear(tensor.role());
        };
    }

    private static boolean isLinear(TensorRole role) {
        return switch (role) {
            case EMBEDDING, LAYER_EMBEDDING, POSITIONS, OUTPUT, ROUTER, VISION, AUDIO, PART, VECTOR -> false;
            case QUERY, KEY, VALUE, ATTENTION_OUTPUT, LATENT_DOWN, LATENT_UP, STATE_IN, STATE_OUT, GATE, UP, DOWN ->
                true;
        };
    }

    private static long groups(long count, int size) {
        return Math.ceilDiv(count, size);
    }
}
