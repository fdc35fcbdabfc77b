// SPDX-License-Identifier: Apache-2.0
/// Meeting places for the members of a mesh: keys and values that all of them see, in one JVM, in a folder of one host,
/// or behind a socket. Nothing here waits without a limit, and lost members are named.
@NullMarked
package dev.muster.mesh.store;

import org.jspecify.annotations.NullMarked;
