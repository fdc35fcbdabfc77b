// SPDX-License-Identifier: Apache-2.0
/// The PCI bus of a host: what sits on it and how it is joined.
@NullMarked
package dev.muster.detect.pci;

import org.jspecify.annotations.NullMarked;
