package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;

/// A device came or went. Immutable.
///
/// @since 0.1
public sealed interface RegistryEvent {
    /// The device.
    AcceleratorProfile profile();

    /// A device appeared.
    ///
    /// @param profile the device
    record DeviceAdded(AcceleratorProfile profile) implements RegistryEvent {}

    /// A device is gone.
    ///
    /// @param profile the device as it was last seen
    record DeviceRemoved(AcceleratorProfile profile) implements RegistryEvent {}
}
