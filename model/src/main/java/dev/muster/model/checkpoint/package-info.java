// SPDX-License-Identifier: Apache-2.0
/// Model files: their content as read from headers and tables of contents alone, safely, from any source. Only here
/// are model files opened.
@NullMarked
package dev.muster.model.checkpoint;

import org.jspecify.annotations.NullMarked;
