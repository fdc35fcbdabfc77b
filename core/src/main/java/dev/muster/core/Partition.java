// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The description of a partition: a slice of another device, such as a MIG instance or a virtual function.
///
/// @param parent the device that is sliced
/// @param id the slice's own id, such as a MIG UUID; not blank
/// @param shape the kind of slice in the vendor's words, such as `1g.10gb`; blank where the vendor has no word for it
/// @since 0.1
public record Partition(DeviceId parent, String id, String shape) {
    /// Checks that the id is not blank.
    public Partition {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a partition id is not blank");
        }
    }
}
