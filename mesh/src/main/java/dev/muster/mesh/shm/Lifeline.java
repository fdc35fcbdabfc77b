package dev.muster.mesh.shm;

/// Tells whether a member can still come. Asked only while waiting.
interface Lifeline extends AutoCloseable {
    /// Whether the process of a member has ended.
    boolean isCut(int rank);

    @Override
    void close();
}
