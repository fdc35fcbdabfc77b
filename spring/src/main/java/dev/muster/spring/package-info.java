// SPDX-License-Identifier: Apache-2.0
/// The device requirements of an application as health of Spring Boot: [MusterHealthIndicator].
@NullMarked
package dev.muster.spring;

import org.jspecify.annotations.NullMarked;
