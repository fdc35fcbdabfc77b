// SPDX-License-Identifier: Apache-2.0
/// AMD: GPUs that ROCm can use, found through the kernel's files and, for what these do not tell, AMD's tools; and the
/// XDNA NPUs of AMD's processors.
@NullMarked
package dev.muster.detect.amd;

import org.jspecify.annotations.NullMarked;
