// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

/// What runs of layers cost on devices: the question that a [LayerSplit] answers. Layers are numbered from 0; the head
/// may be one more. A run begins with `from` and ends before `to`, and is never empty.
public interface StageCosts {
    /// How many layers there are.
    int layers();

    /// How many devices there are.
    int devices();

    /// Seconds that a device takes for a run of layers, the way to it included.
    double seconds(int device, int from, int to);

    /// Bytes that a device needs for a run of layers; never fewer for a longer run.
    double bytes(int device, int from, int to);

    /// Bytes that a device has.
    double capacity(int device);

    /// Devices of the same kind may change places without changing any cost. All differ unless said.
    default int kind(int device) {
        return device;
    }

    /// Seconds that what stands before all devices takes for the first layers; infinite where it cannot hold them.
    /// Unless said, nothing stands there.
    default double ahead(int layers) {
        return layers == 0 ? 0 : Double.POSITIVE_INFINITY;
    }

    /// Whether a run of layers fits on a device.
    default boolean fits(int device, int from, int to) {
        return bytes(device, from, to) <= capacity(device);
    }
}
