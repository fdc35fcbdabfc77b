package dev.muster.mesh.launch;

/// Hears what started processes say and how they end, on the thread that runs the launch.
///
/// @since 0.1
public interface LaunchListener {
    /// A process has written a line.
    ///
    /// @param error whether to standard error
    void onLine(int rank, boolean error, String line);

    /// A process has ended.
    void onEnd(RankEnd end);

    /// Everything that was known has been told; false when nobody wants to hear more, and the processes shall end.
    boolean onPause();
}
