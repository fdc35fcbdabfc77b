// SPDX-License-Identifier: Apache-2.0
/// The rules of ai-hwaccel 1.2.0 to the letter: memory, quantization, sharding and training memory of a model. Rules
/// of thumb: they regard neither the context nor the load of a device. Where the original wraps around at 2^64, there
/// is an [ArithmeticException] here.
@NullMarked
package dev.muster.plan.rules;

import org.jspecify.annotations.NullMarked;
