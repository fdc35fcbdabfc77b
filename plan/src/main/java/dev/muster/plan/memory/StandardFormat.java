package dev.muster.plan.memory;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelTensor;
import dev.muster.plan.model.TensorRole;

/// The formats of checkpoints on the Hugging Face Hub: which tensors have fewer bits, and what their scales take.
/// Embedding,
/// head, norms and routers keep 16 bits in all that quantize.
///
/// @since 0.1
public enum StandardFormat implements WeightFormat {
    /// 32 bits.
    FP32("fp32", 32, Scope.NOTHING, (_, _) -> 0),
    /// 16 bits, with the range of 32.
    BF16("bf16", 16, Scope.NOTHING, (_, _) -> 0),
    /// 16 bits.
    FP16("fp16", 16, Scope.NOTHING, (_, _) -> 0),
    /// 8 bits of floating point, a scale of 32 bits for each tensor.
    FP8("fp8", 16, Scope.LINEAR, (rows, columns) -> plain(8, rows, columns) + 32),
    /// 8 bits of floating point, a scale of 32 bits for blocks of 128 x 128: DeepSeek 3.
    FP8_BLOCK(
            "fp8-block",
            16,
            Scope.LINEAR,
            (rows, columns) -> plain(8, rows, columns) + 32 * groups(rows, 128) * groups(columns, 128)),
    /// 8 bits, a scale of 16 bits for each output.
    INT8("int8", 16, Scope.LINEAR, (rows, columns) -> plain(8, rows, columns) + 16 * rows),
    /// 4 bits, a scale of 16 and a zero point of 4 bits for 128 inputs.
    AWQ_INT4("awq-int4", 16, Scope.LINEAR, StandardFormat::int4),
    /// As AWQ, and the group of each input in 32 bits (`g_idx`).
    GPTQ_INT4("gptq-int4", 16, Scope.LINEAR, (rows, columns) -> int4(rows, columns) + 32 * columns),
    /// 4 bits of bitsandbytes, a scale for 64 weights, quantized again: 8 bits, and 32 for 256 scales.
    NF4("nf4", 16, Scope.LINEAR, StandardFormat::nf4),
    /// 4 bits, a scale of 8 bits for 32 weights; experts alone, as gpt-oss is published.
    MXFP4("mxfp4", 16, Scope.EXPERTS, (rows, columns) -> plain(4, rows, columns) + 8 * rows * groups(columns, 32)),
    /// 4 bits, a scale of 8 bits for 16 weights and one of 32 for each tensor.
    NVFP4("nvfp4", 16, Scope.LINEAR, (rows, columns) -> plain(4, rows, columns) + 8 * rows * groups(columns, 16) + 32);

    /// No published matrix comes near, and bits of smaller ones with their scales stay below 2^63.
    private static final long MAX_SIDE = 1L << 28;

    private final String label;
    private final int plainBits;
    private final Scope scope;
    private final Packing packing;

    StandardFormat(String label, int plainBits, Scope scope, Packing packing) {
        this.label = label;
        this.plainBits = plainBits;
        this.scope = scope;
        this.packing = packing;
    }

    @Override
    public String label() {
        return label;
    }

    /// Models with latent attention scale their 8-bit numbers block by block.
    @Override
    public Reading<StoredWeights> weights(ModelArchitecture architecture) {
        StandardFormat stored = this == FP8 && architecture.hasLatentAttention() ? FP8_BLOCK : this;
        return StoredWeights.of(architecture, stored::store);
    }

    @Override
    public int weightBits() {
        return switch (this) {
            case FP32 -> 32;
            case BF16, FP16 -> 16;
            case FP8, FP8_BLOCK, INT8 -> 8;
            case AWQ_INT4, GPTQ_INT4, NF4, MXFP4, NVFP4 -> 4;
        };
    }

    private StoredTensor store(ModelTensor tensor) {
        if (tensor.rows() > MAX_SIDE || tensor.columns() > MAX_SIDE) {
            throw new ArithmeticException("a matrix of " + tensor.rows() + " x " + tensor.columns());
        }
        boolean packed = scope.holds(tensor);
        long bits = packed
                ? packing.bits(tensor.rows(), tensor.columns())
                : plain(plainBits, tensor.rows(), tensor.columns());
        Bytes bytes = Bytes.of(Math.multiplyExact(tensor.count(), groups(bits, Byte.SIZE)));
        return new StoredTensor(tensor, packed || scope == Scope.NOTHING ? label : BF16.label, bytes);
    }

    private static long int4(long rows, long columns) {
        return plain(4, rows, columns) + (16 + 4) * rows * groups(columns, 128);
    }

    private static long nf4(long rows, long columns) {
        long scales = groups(rows * columns, 64);
        return plain(4, rows, columns) + 8 * scales + 32 * groups(scales, 256);
    }

    private static long plain(int bits, long rows, long columns) {
        return bits * rows * columns;
    }

    private static long groups(long count, int size) {
        return Math.ceilDiv(count, size);
    }

    /// The bits of a matrix with its scales.
    private interface Packing {
        long bits(long rows, long columns);
    }

    /// Which tensors have fewer bits.
    private enum Scope {
        NOTHING,
        LINEAR,
        EXPERTS;

        boolean holds(ModelTensor tensor) {
            return switch (this) {
                case NOTHING -> false;
                case LINEAR -> isLinear(tensor.role());
                case EXPERTS -> tensor.count() > 1 && isLinear(tensor.role());
            };
        }

        private static boolean isLinear(TensorRole role) {
            return switch (role) {
                case EMBEDDING, POSITIONS, OUTPUT, ROUTER, VECTOR -> false;
                case QUERY, KEY, VALUE, ATTENTION_OUTPUT, LATENT_DOWN, LATENT_UP, STATE_IN, STATE_OUT, GATE, UP, DOWN ->
                    true;
            };
        }
    }
}
