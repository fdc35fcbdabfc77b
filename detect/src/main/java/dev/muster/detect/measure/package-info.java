// SPDX-License-Identifier: Apache-2.0
/// Measures what a processor really reaches; [dev.muster.core.measure] has the values. Devices of vendors are measured
/// in the vendors' packages.
@NullMarked
package dev.muster.detect.measure;

import org.jspecify.annotations.NullMarked;
