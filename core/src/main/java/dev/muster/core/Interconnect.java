package dev.muster.core;

import dev.muster.core.unit.Bandwidth;

/// A network port or fabric of the host.
///
/// @param kind its kind
/// @param name its name, such as `mlx5_0`
/// @param bandwidth its rate one way; unknown for a port that is down
/// @param state its state in the source's words, such as `4: ACTIVE`
/// @since 0.1
public record Interconnect(InterconnectKind kind, String name, Reading<Bandwidth> bandwidth, Reading<String> state) {}
