// SPDX-License-Identifier: Apache-2.0
/// A server at a Unix socket: the file with its mode, and how Jetty listens there.
@NullMarked
package dev.muster.server.socket;

import org.jspecify.annotations.NullMarked;
