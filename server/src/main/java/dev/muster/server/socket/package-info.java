// SPDX-License-Identifier: Apache-2.0
/// The server at a Unix socket: the file with its mode, and Jetty's connector for it.
@NullMarked
package dev.muster.server.socket;

import org.jspecify.annotations.NullMarked;
