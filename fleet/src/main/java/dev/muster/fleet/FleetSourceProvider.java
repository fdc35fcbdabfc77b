// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.List;

/// A kind of fleet source and the grammar of its text: `scheme` or `scheme:text`. Implement it to add a source, and
/// name the implementation in `META-INF/services` or a module's `provides` clause, where
/// `dev.muster.fleet.source.FleetSources` finds it. Immutable; for any thread.
///
/// @since 0.2
public interface FleetSourceProvider {
    /// The word before the colon, such as `slurm`.
    String scheme();

    /// The grammar in help, such as `slurm[:URL]`.
    String usage();

    /// The options that the source takes from its [FleetSourceContext].
    default List<SourceOption> options() {
        return List.of();
    }

    /// Opens a source. It is not asked for anything yet.
    ///
    /// @param text the text after the colon; blank if there is none
    /// @throws IllegalArgumentException if the text does not follow the grammar
    /// @throws FleetException if the text is right but the source is not there
    FleetSource open(String text, FleetSourceContext context);

    /// An option of a source.
    ///
    /// @param name its name, such as `ssh-config`
    /// @param value the placeholder of its value in help, such as `FILE`; blank for an option without a value
    /// @param help its meaning, a noun phrase or an imperative
    /// @since 0.2
    record SourceOption(String name, String value, String help) {}
}
