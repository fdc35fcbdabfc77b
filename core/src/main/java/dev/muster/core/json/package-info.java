// SPDX-License-Identifier: Apache-2.0
/// Registry documents as JSON: Muster's own form, and the tagged and flat forms of ai-hwaccel. Readers are strict and
/// bounded; what they refuse, they refuse with a [DocumentException] that says where and why.
@NullMarked
package dev.muster.core.json;

import org.jspecify.annotations.NullMarked;
