// SPDX-License-Identifier: Apache-2.0
/// Typed findings of many checks: reasons why accelerators are not found or cannot be used, with remedies.
@NullMarked
package dev.muster.detect.doctor;

import org.jspecify.annotations.NullMarked;
