// SPDX-License-Identifier: Apache-2.0
/// What the output of many vendors' tools is made of: numbers with units, lines of comma-separated values.
@NullMarked
package dev.muster.detect.text;

import org.jspecify.annotations.NullMarked;
