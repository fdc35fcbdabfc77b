// SPDX-License-Identifier: Apache-2.0
/// Hosts and fleets as text.
@NullMarked
package dev.muster.report.host;

import org.jspecify.annotations.NullMarked;
