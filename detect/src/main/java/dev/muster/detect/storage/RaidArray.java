package dev.muster.detect.storage;

/// An array of drives as the kernel describes it.
///
/// @param name its name, such as `md0`
/// @param active whether it runs
/// @param level its level, such as `raid1`; blank where it is not told
/// @param kib what it holds, in KiB; 0 where it is not told
/// @param drives how many drives it should have; 0 for levels that cannot lose one, and where it is not told
/// @param working how many of these work
/// @param work what goes on, in one word such as `recovering`; blank where nothing does
/// @param progress how far that is, such as `8.5 %` or `delayed`
record RaidArray(
        String name, boolean active, String level, long kib, long drives, long working, String work, String progress) {
    /// How it is, the worst first: `active`, `inactive`, `degraded 3 of 4`, `degraded 1 of 2, recovering 8.5 %`,
    /// `checking 5.7 %`.
    String state() {
        if (!active) {
            return "inactive";
        }
        String lack = working < drives ? "degraded " + working + " of " + drives : "";
        String now = work.isEmpty() ? "" : work + " " + progress;
        if (lack.isEmpty() && now.isEmpty()) {
            return "active";
        }
        return lack + (lack.isEmpty() || now.isEmpty() ? "" : ", ") + now;
    }
}
