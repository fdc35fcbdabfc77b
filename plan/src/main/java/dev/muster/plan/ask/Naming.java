// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

/// The name of a parameter in the interface through which a question is asked.
///
/// @since 0.2
public enum Naming {
    /// Options of the command line, such as `--max-ttft`.
    OPTIONS,
    /// Keys of a JSON body, such as `'maxTtftSeconds'`. Java callers see the same keys.
    KEYS;

    /// Returns the name of a parameter.
    public String of(Parameter<?> parameter) {
        if (this == KEYS) {
            return "'" + parameter.key() + "'";
        }
        return parameter.isOperand() ? parameter.placeholder() : "--" + parameter.option();
    }
}
