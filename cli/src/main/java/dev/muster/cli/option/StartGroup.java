// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

/// The commands that share a start-up cache and settings of the JVM. The launcher has a line for each, which a test
/// holds to the commands.
public enum StartGroup {
    /// Commands that the launcher does not name.
    USUAL(""),
    /// Commands that ask nothing: all classes of a cache are loaded at each start, so theirs has very few.
    VERSION("-version"),
    PLAN("-plan"),
    /// Commands that examine a host.
    EXAMINE("-examine"),
    /// These and the usual ones where they ask a recorded host: they read bundles, and what tools have printed.
    RECORDED("-host"),
    TOP("-top"),
    /// Commands that ask other hosts over HTTP.
    FLEET("-fleet"),
    /// Commands that serve until they are ended.
    LIVE("-live"),
    /// Commands that compute for long: they get the full compiler, with the cache of the usual ones.
    LONG("");

    private final String cache;

    StartGroup(String cache) {
        this.cache = cache;
    }

    /// The group whose cache has that part in its name.
    ///
    /// @throws IllegalArgumentException if there is none
    public static StartGroup ofCache(String cache) {
        for (StartGroup group : values()) {
            if (group.cache.equals(cache)) {
                return group;
            }
        }
        throw new IllegalArgumentException("no such start-up cache: " + cache);
    }

    /// The part of the cache's file name that tells it from others.
    public String cache() {
        return cache;
    }
}
