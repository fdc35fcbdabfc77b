// SPDX-License-Identifier: Apache-2.0
/// Graphcore IPUs: the PCI bus, device nodes and `gc-info`.
@NullMarked
package dev.muster.detect.graphcore;

import org.jspecify.annotations.NullMarked;
