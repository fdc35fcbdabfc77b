// SPDX-License-Identifier: Apache-2.0
/// Model files: what is in them, read from their headers and tables of contents alone, safely, whoever made them.
/// Only here are model files opened.
@NullMarked
package dev.muster.model.checkpoint;

import org.jspecify.annotations.NullMarked;
