// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

/// The formats of checkpoints on the Hugging Face Hub: the tensors with fewer bits, and the size of their scales.
/// Embedding, head, norms and routers keep 16 bits in all that quantize.
///
/// @since 0.1
public enum StandardFormat implements WeightFormat {
    /// 32 bits.
    FP32("fp32", 32),
    /// 16 bits, with the range of 32.
    BF16("bf16", 16),
    /// 16 bits.
    FP16("fp16", 16),
    /// 8 bits of floating point, a scale of 32 bits for each tensor.
    FP8("fp8", 8),
    /// 8 bits of floating point, a scale of 32 bits for blocks of 128 x 128: DeepSeek 3.
    FP8_BLOCK("fp8-block", 8),
    /// 8 bits, a scale of 16 bits for each output.
    INT8("int8", 8),
    /// 4 bits, a scale of 16 and a zero point of 4 bits for 128 inputs.
    AWQ_INT4("awq-int4", 4),
    /// As AWQ, and the group of each input in 32 bits (`g_idx`).
    GPTQ_INT4("gptq-int4", 4),
    /// 4 bits of bitsandbytes, a scale for 64 weights, quantized again: 8 bits, and 32 for 256 scales.
    NF4("nf4", 4),
    /// 4 bits, a scale of 8 bits for 32 weights; experts alone, as gpt-oss is published.
    MXFP4("mxfp4", 4),
    /// 4 bits, a scale of 8 bits for 16 weights and one of 32 for each tensor.
    NVFP4("nvfp4", 4);

    private final String label;
    private final int weightBits;

    StandardFormat(String label, int weightBits) {
        this.label = label;
        this.weightBits = weightBits;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public int weightBits() {
        return weightBits;
    }
}
