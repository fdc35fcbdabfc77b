// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import java.util.List;

/// The name of a command, its line in the overview, and the calls that record it in a start-up cache.
///
/// @param name the word that calls it; two words for a command of `mesh` or `fleet`
/// @param summary purpose of the command, in one line
/// @param recorded the calls that are run while the cache of its [StartGroup] is made; an empty one calls no command,
///     the word `FILE` stands for a small model file
public record CommandTitle(String name, String summary, List<String> recorded) {
    /// A command that is not called while a cache is made.
    public static CommandTitle of(String name, String summary) {
        return new CommandTitle(name, summary, List.of());
    }

    public CommandTitle recordedBy(String... calls) {
        return new CommandTitle(name, summary, List.of(calls));
    }
}
