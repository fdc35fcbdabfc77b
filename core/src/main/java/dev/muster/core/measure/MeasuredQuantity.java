// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.util.Optional;

/// What is measured of a device.
///
/// @since 0.1
public enum MeasuredQuantity {
    /// Copies within the device's own memory; bytes read and bytes written both count.
    MEMORY_COPY("memory-copy", "memory copy", Unit.BYTES_PER_SECOND),
    /// Reads of the device's own memory.
    MEMORY_READ("memory-read", "memory read", Unit.BYTES_PER_SECOND),
    /// Copies from pinned memory of the host to the device.
    HOST_TO_DEVICE("host-to-device", "host to device", Unit.BYTES_PER_SECOND),
    /// Copies from the device to pinned memory of the host.
    DEVICE_TO_HOST("device-to-host", "device to host", Unit.BYTES_PER_SECOND),
    /// Products of matrices of bfloat16, summed in 32 bits.
    MATRIX_BF16("matrix-bf16", "matrix product bf16", Unit.OPERATIONS_PER_SECOND),
    /// Products of matrices of half floats, summed in 32 bits.
    MATRIX_FP16("matrix-fp16", "matrix product fp16", Unit.OPERATIONS_PER_SECOND),
    /// Products of matrices of floats, rounded to TF32 before they are multiplied.
    MATRIX_TF32("matrix-tf32", "matrix product tf32", Unit.OPERATIONS_PER_SECOND),
    /// Products of matrices of floats.
    MATRIX_FP32("matrix-fp32", "matrix product fp32", Unit.OPERATIONS_PER_SECOND),
    /// Fused multiplications and additions of floats, in registers.
    MULTIPLY_ADD_FP32("multiply-add-fp32", "multiply-add fp32", Unit.OPERATIONS_PER_SECOND);

    private final String text;
    private final String display;
    private final Unit unit;

    MeasuredQuantity(String text, String display, Unit unit) {
        this.text = text;
        this.display = display;
        this.unit = unit;
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

    /// What it is counted in.
    public Unit unit() {
        return unit;
    }

    /// What a rate is counted in.
    public enum Unit {
        /// Bytes per second.
        BYTES_PER_SECOND("BytesPerSecond"),
        /// Operations per second; a multiplication and an addition are two.
        OPERATIONS_PER_SECOND("OperationsPerSecond");

        private final String suffix;

        Unit(String suffix) {
            this.suffix = suffix;
        }

        /// How keys of documents end.
        String suffix() {
            return suffix;
        }
    }
}
