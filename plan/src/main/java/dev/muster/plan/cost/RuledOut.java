// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// A layout that would be better for the goal, and the rule of the engine that it breaks.
///
/// @param layout layout as text, such as `TP 7`
/// @param engine the engine and its release, such as `vLLM 0.27.1`
/// @param rule condition of the rule
/// @param source file and line of the engine's source
/// @since 0.1
public record RuledOut(String layout, String engine, String rule, String source) {}
