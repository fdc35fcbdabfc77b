// SPDX-License-Identifier: Apache-2.0
/// Elements of the output of many vendors' tools: numbers with units, lines of comma-separated values.
@NullMarked
package dev.muster.detect.text;

import org.jspecify.annotations.NullMarked;
