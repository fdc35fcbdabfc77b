package dev.muster.mesh;

/// What becomes of devices that the sizes of a mesh do not fill.
///
/// @since 0.1
public enum Fit {
    /// Every device has its place; anything else is refused.
    EXACT,
    /// Devices may be left over: the last ranks are idle, and the mesh lists them.
    SURPLUS_ALLOWED
}
