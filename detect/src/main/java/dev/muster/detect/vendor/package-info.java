// SPDX-License-Identifier: Apache-2.0
/// The vendors that need no package of their own: what a row says of each (PCI id, device nodes, tool) is enough to
/// find its devices. The rows stand in the table of backends.
@NullMarked
package dev.muster.detect.vendor;

import org.jspecify.annotations.NullMarked;
