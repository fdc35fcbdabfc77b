// SPDX-License-Identifier: Apache-2.0
/// What keeps accelerators from being found or used, and what to do about it: typed findings of many checks.
@NullMarked
package dev.muster.detect.doctor;

import org.jspecify.annotations.NullMarked;
