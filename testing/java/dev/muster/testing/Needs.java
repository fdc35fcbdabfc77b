// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a test, or all tests of a class, need; they are skipped where it is not there, and [SkippedTests] says so.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCondition.class)
public @interface Needs {
    Need[] value() default {};

    /// Names of programs on PATH, such as `mpirun`.
    String[] programs() default {};
}
