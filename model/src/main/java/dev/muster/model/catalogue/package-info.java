// SPDX-License-Identifier: Apache-2.0
/// The models that Muster knows by name, and the names that people use for them.
@NullMarked
package dev.muster.model.catalogue;

import org.jspecify.annotations.NullMarked;
