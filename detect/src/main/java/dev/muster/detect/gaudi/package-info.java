// SPDX-License-Identifier: Apache-2.0
/// Intel's Gaudi accelerators, behind the driver habanalabs.
@NullMarked
package dev.muster.detect.gaudi;

import org.jspecify.annotations.NullMarked;
