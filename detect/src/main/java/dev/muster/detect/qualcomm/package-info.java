// SPDX-License-Identifier: Apache-2.0
/// Qualcomm Cloud AI 100: the PCI bus, the driver's nodes and `qaic-util`.
@NullMarked
package dev.muster.detect.qualcomm;

import org.jspecify.annotations.NullMarked;
