/// The words of a plan: how a model is split, which part goes where, how it is trained, in which file it lies.
@NullMarked
package dev.muster.plan;

import org.jspecify.annotations.NullMarked;
