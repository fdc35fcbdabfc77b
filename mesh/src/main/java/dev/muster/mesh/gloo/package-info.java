// SPDX-License-Identifier: Apache-2.0
/// Collectives through Gloo, the library that PyTorch uses between processors. A small library of our own, built by
/// `scripts/build-gloo-shim`, lies between: Gloo speaks C++, and Java can only call C.
@NullMarked
package dev.muster.mesh.gloo;

import org.jspecify.annotations.NullMarked;
