// SPDX-License-Identifier: Apache-2.0
/// AWS Inferentia and Trainium: the driver's files, the instance type, and `neuron-ls` in all its forms.
@NullMarked
package dev.muster.detect.aws;

import org.jspecify.annotations.NullMarked;
