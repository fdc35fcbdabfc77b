// SPDX-License-Identifier: Apache-2.0
/// The catalogue of well-known models, and the resolution of their names.
@NullMarked
package dev.muster.model.catalogue;

import org.jspecify.annotations.NullMarked;
