// SPDX-License-Identifier: Apache-2.0
/// The interface of probes, with their input and output: everything that third-party probes
/// implement or call. Detection itself is wired elsewhere.
@NullMarked
package dev.muster.detect.probe;

import org.jspecify.annotations.NullMarked;
