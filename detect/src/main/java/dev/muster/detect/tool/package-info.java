// SPDX-License-Identifier: Apache-2.0
/// Devices as vendors' tools describe them, in any form of answer.
@NullMarked
package dev.muster.detect.tool;

import org.jspecify.annotations.NullMarked;
