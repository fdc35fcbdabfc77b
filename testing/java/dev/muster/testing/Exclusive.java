// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Marks a class whose tests start many processes or keep all processors busy. No two such classes run at the same time,
/// also when Maven tests several modules at once.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ExclusiveLock.class)
public @interface Exclusive {}
