// SPDX-License-Identifier: Apache-2.0
/// Commands about the devices of a machine: `detect`, `check`, `doctor`, `topology` and others.
@NullMarked
package dev.muster.cli.device;

import org.jspecify.annotations.NullMarked;
