// SPDX-License-Identifier: Apache-2.0
/// Measured rates of devices, and the document that keeps them. The planner takes these rates
/// before those of data sheets.
@NullMarked
package dev.muster.core.measure;

import org.jspecify.annotations.NullMarked;
