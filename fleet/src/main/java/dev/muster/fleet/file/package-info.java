// SPDX-License-Identifier: Apache-2.0
/// Saved documents as a source of hosts: a fleet, or a registry or capture for each host.
@NullMarked
package dev.muster.fleet.file;

import org.jspecify.annotations.NullMarked;
