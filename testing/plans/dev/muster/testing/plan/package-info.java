// SPDX-License-Identifier: Apache-2.0
/// Machines and models of plans, for tests of the modules `plan` and `report`.
@NullMarked
package dev.muster.testing.plan;

import org.jspecify.annotations.NullMarked;
