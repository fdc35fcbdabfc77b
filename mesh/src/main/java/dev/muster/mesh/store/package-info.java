// SPDX-License-Identifier: Apache-2.0
/// Where the members of a mesh meet: keys and values that all of them see, in one JVM, in a folder of one host, or
/// behind a socket. Nothing here waits without a limit, and whoever is lost is named.
@NullMarked
package dev.muster.mesh.store;

import org.jspecify.annotations.NullMarked;
