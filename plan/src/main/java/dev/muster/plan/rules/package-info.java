// SPDX-License-Identifier: Apache-2.0
/// The rules of ai-hwaccel 1.2.0 to the letter: what a model takes, which quantization, how it is split, what training
/// takes. Rules of thumb: they ask neither for the context nor for the load of a device. Where the original wraps
/// around at 2^64, there is an [ArithmeticException] here.
@NullMarked
package dev.muster.plan.rules;

import org.jspecify.annotations.NullMarked;
