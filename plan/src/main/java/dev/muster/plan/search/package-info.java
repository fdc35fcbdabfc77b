/// Finds the best way to serve a model on devices: every layout is tried, each with its memory and its speed, and those
/// that lose say why.
@NullMarked
package dev.muster.plan.search;

import org.jspecify.annotations.NullMarked;
