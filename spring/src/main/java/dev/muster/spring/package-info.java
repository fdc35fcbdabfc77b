// SPDX-License-Identifier: Apache-2.0
/// What an application needs of its devices, as health of Spring Boot: [MusterHealthIndicator].
@NullMarked
package dev.muster.spring;

import org.jspecify.annotations.NullMarked;
