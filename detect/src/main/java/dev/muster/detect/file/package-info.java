// SPDX-License-Identifier: Apache-2.0
/// Files with a structure: folders of the kernel with one value per file, and private files of the user.
@NullMarked
package dev.muster.detect.file;

import org.jspecify.annotations.NullMarked;
