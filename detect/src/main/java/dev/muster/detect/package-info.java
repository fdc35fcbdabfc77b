// SPDX-License-Identifier: Apache-2.0
/// Detection: asks every probe what it sees and makes one registry of the answers.
@NullMarked
package dev.muster.detect;

import org.jspecify.annotations.NullMarked;
