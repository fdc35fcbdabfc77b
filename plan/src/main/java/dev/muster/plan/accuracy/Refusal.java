package dev.muster.plan.accuracy;

/// A row that is not predicted.
///
/// @param id the row
/// @param isUsable whether a better model could predict it; no where the row itself is doubted or tells no figure
/// @param reason why, for people
/// @since 0.1
public record Refusal(String id, boolean isUsable, String reason) {}
