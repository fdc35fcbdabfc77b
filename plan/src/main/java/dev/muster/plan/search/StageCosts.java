// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

/// The costs of runs of layers on devices, from which a [LayerSplit] is computed. Layers are numbered from 0; the
/// head may be one more. A run begins with `from` and ends before `to`, and is never empty.
public interface StageCosts {
    int layers();

    int devices();

    /// Returns the seconds of a device for a run of layers, with the transfer to it.
    double seconds(int device, int from, int to);

    /// Returns the bytes of a device for a run of layers; never fewer for a longer run.
    double bytes(int device, int from, int to);

    /// Returns the bytes that a device has.
    double capacity(int device);

    /// Returns the kind of a device; those of the same kind can be exchanged without changing any cost. By default,
    /// all differ.
    default int kind(int device) {
        return device;
    }

    /// Returns the seconds of the first layers before all devices; infinite if they do not fit there. By default,
    /// nothing is there.
    default double ahead(int layers) {
        return layers == 0 ? 0 : Double.POSITIVE_INFINITY;
    }

    /// Reports whether a run of layers fits on a device.
    default boolean fits(int device, int from, int to) {
        return bytes(device, from, to) <= capacity(device);
    }
}
