// SPDX-License-Identifier: Apache-2.0
/// Google TPUs: the driver's files, the PCI bus, the variables of a TPU machine and `tpu-info`.
@NullMarked
package dev.muster.detect.google;

import org.jspecify.annotations.NullMarked;
