// SPDX-License-Identifier: Apache-2.0
/// The pictures of reports, as tests measure them: for the modules `report` and `cli`.
@NullMarked
package dev.muster.testing.picture;

import org.jspecify.annotations.NullMarked;
