/// Finds the best way to train a model on devices: every layout is tried, with its memory and its speed.
@NullMarked
package dev.muster.plan.training;

import org.jspecify.annotations.NullMarked;
