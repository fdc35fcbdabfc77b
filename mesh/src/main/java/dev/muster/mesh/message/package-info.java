// SPDX-License-Identifier: Apache-2.0
/// Collectives made of messages between members: which way they go, in which order they reduce. Who
/// moves the messages is not known here.
@NullMarked
package dev.muster.mesh.message;

import org.jspecify.annotations.NullMarked;
