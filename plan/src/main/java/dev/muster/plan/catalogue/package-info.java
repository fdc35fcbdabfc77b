// SPDX-License-Identifier: Apache-2.0
/// Devices and prices as data with source and date, and the code that reads them: which device a profile is, what its
/// data sheet says, what a cloud asks for it. A user's own tables extend and override the ones inside.
@NullMarked
package dev.muster.plan.catalogue;

import org.jspecify.annotations.NullMarked;
