// SPDX-License-Identifier: Apache-2.0
/// A host over time: one [Sampler] observes it, and any number of readers take its newest registry, its
/// [SampleHistory], or subscribes. An [AlertRule] says when to warn, a [RegistryRecording] plays
/// samples again that a [RegistryRecorder] wrote.
@NullMarked
package dev.muster.monitor;

import org.jspecify.annotations.NullMarked;
