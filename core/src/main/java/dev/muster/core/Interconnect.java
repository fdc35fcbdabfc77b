package dev.muster.core;

import dev.muster.core.unit.Bandwidth;

/// A network port or fabric of the host.
///
/// @param kind its kind
/// @param name its name, such as `mlx5_0`
/// @param bandwidth its rate
/// @param state its state in the source's words, such as `4: ACTIVE`
/// @since 0.1
public record Interconnect(InterconnectKind kind, String name, Bandwidth bandwidth, Reading<String> state) {}
