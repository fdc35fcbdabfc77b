// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// The limits that documents name are those of the code. What a limit does is for the tests of its class, which ask for
/// the constant by its name.
class DocumentedLimitsTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "/documented-limits.txt", delimiter = '|', quoteCharacter = '\u0001')
    void theLimitIsThatOfTheCode(String document, String words, String type, String constant, String value)
            throws IOException, ReflectiveOperationException {
        assertThat(Claims.sections(document))
                .as("%s should say '%s'", document, words)
                .anyMatch(section -> section.text().contains(words));

        Field field = Class.forName("dev.muster." + type).getDeclaredField(constant);
        field.setAccessible(true); // limits are private to their classes
        assertThat(field.get(null))
                .as("%s.%s, of which %s says '%s'", type, constant, document, words)
                .hasToString(value);
    }
}
