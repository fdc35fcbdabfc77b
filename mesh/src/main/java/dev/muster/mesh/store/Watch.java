package dev.muster.mesh.store;

/// A listener at work. Whoever asked for it closes it; a listener in the middle of a call finishes that call.
///
/// @since 0.1
public interface Watch extends AutoCloseable {
    /// Stops listening. Closing twice does nothing.
    @Override
    void close();
}
