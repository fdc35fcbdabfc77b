// SPDX-License-Identifier: Apache-2.0
/// What tests need of the machine they run on, and what is said where it is not there. Every module compiles this folder
/// among its own tests.
@NullMarked
package dev.muster.testing;

import org.jspecify.annotations.NullMarked;
