// SPDX-License-Identifier: Apache-2.0
/// Devices and prices as data with source and date, and their readers: the device of a profile, its data sheet, and
/// cloud prices. A user's own tables extend and override the built-in ones.
@NullMarked
package dev.muster.plan.catalogue;

import org.jspecify.annotations.NullMarked;
