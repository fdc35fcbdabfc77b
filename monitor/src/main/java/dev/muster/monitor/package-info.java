/// A host over time: one [Sampler] looks at it, whoever wants to know reads its newest registry, its
/// [SampleHistory], or subscribes.
@NullMarked
package dev.muster.monitor;

import org.jspecify.annotations.NullMarked;
