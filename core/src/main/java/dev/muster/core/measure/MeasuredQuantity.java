// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.util.Optional;

/// A measured quantity of a device.
///
/// @since 0.1
public enum MeasuredQuantity {
    /// Copies within the device's own memory; bytes read and bytes written both count.
    MEMORY_COPY("memory-copy", "memory copy", true),
    /// Reads of the device's own memory.
    MEMORY_READ("memory-read", "memory read", true),
    /// Copies from pinned memory of the host to the device.
    HOST_TO_DEVICE("host-to-device", "host to device", true),
    /// Copies from the device to pinned memory of the host.
    DEVICE_TO_HOST("device-to-host", "device to host", true),
    /// Products of matrices of bfloat16, summed in 32 bits.
    MATRIX_BF16("matrix-bf16", "matrix product bf16", false),
    /// Products of matrices of half floats, summed in 32 bits.
    MATRIX_FP16("matrix-fp16", "matrix product fp16", false),
    /// Products of matrices of floats, rounded to TF32 before they are multiplied.
    MATRIX_TF32("matrix-tf32", "matrix product tf32", false),
    /// Products of matrices of floats.
    MATRIX_FP32("matrix-fp32", "matrix product fp32", false),
    /// Fused multiplications and additions of floats, in registers.
    MULTIPLY_ADD_FP32("multiply-add-fp32", "multiply-add fp32", false);

    private final String text;
    private final String display;
    private final boolean isDataRate;

    MeasuredQuantity(String text, String display, boolean isDataRate) {
        this.text = text;
        this.display = display;
        this.isDataRate = isDataRate;
    }

    /// The quantity that documents call so.
    public static Optional<MeasuredQuantity> find(String text) {
        for (MeasuredQuantity quantity : values()) {
            if (quantity.text.equals(text)) {
                return Optional.of(quantity);
            }
        }
        return Optional.empty();
    }

    /// The quantity as documents write it, such as `memory-copy`.
    public String text() {
        return text;
    }

    /// The quantity for people.
    public String display() {
        return display;
    }

    /// Reports whether the unit is bytes per second. Otherwise it is operations per second, where a multiplication and
    /// an addition are two operations.
    public boolean isDataRate() {
        return isDataRate;
    }

    /// The unit at the end of the keys of a document.
    String suffix() {
        return isDataRate ? "BytesPerSecond" : "OperationsPerSecond";
    }
}
