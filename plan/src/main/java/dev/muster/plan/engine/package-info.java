// SPDX-License-Identifier: Apache-2.0
/// What releases of engines assert, as data: which models, devices and weight formats they take, and which layouts.
@NullMarked
package dev.muster.plan.engine;

import org.jspecify.annotations.NullMarked;
