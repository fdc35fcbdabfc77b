// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// The needs of a test, or of all tests of a class; they are skipped where one is missing, and [SkippedTests] reports
/// it.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCondition.class)
public @interface Needs {
    Need[] value() default {};

    /// Names of programs on PATH, such as `mpirun`.
    String[] programs() default {};
}
