// SPDX-License-Identifier: Apache-2.0
/// Devices as vendors' tools describe them, whatever the form of their answer.
@NullMarked
package dev.muster.detect.tool;

import org.jspecify.annotations.NullMarked;
