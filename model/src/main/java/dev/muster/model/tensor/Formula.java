// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// A number derived from the numbers of an architecture, as the table of families writes it: integers, names, `+ - *
/// / %`, comparisons (1 or 0), `&`, `|`, `!`, `a ? b : c`, `min(a,b)`, `max(a,b)`, `ceil(a,b)` (a divided by b,
/// rounded up), `len(name)`, `sum(name)`, `has(name)`, `at(name, a)` of a list and `in(name, a)`, which is 1 if it has
/// a number. Division
/// rounds down. Immutable.
sealed interface Formula {
    /// Returns the value for some values of names.
    ///
    /// @throws MissingNumberException if a name has none
    /// @throws ArithmeticException past 2^63-1, or where something is divided by 0
    long of(Scope scope);

    /// The values of names.
    interface Scope {
        /// Returns the value of a name; empty if it has none.
        OptionalLong find(String name);

        /// Returns all values of a name that may be a list; empty if it has none.
        List<Long> list(String name);
    }

    /// Parses a formula.
    ///
    /// @throws IllegalArgumentException if the text is none
    static Formula parse(String text) {
        Parser parser = new Parser(text);
        Formula formula = parser.choice();
        if (parser.peek() != 0) {
            throw parser.wrong();
        }
        return formula;
    }

    /// A number that an architecture does not state, without a default of its family.
    final class MissingNumberException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        MissingNumberException(String name) {
            super(name, null, false, false);
        }

        String name() {
            return String.valueOf(getMessage());
        }
    }

    record Constant(long value) implements Formula {
        @Override
        public long of(Scope scope) {
            return value;
        }
    }

    record Name(String name) implements Formula {
        @Override
        public long of(Scope scope) {
            OptionalLong value = scope.find(name);
            if (value.isEmpty()) {
                throw new MissingNumberException(name);
            }
            return value.getAsLong();
        }
    }

    record Operation(char operator, Formula left, Formula right) implements Formula {
        @Override
        public long of(Scope scope) {
            long a = left.of(scope);
            // A factor of zero makes the other one unnecessary.
            if (a == 0 && (operator == '*' || operator == '&')) {
                return 0;
            }
            if (a != 0 && operator == '|') {
                return 1;
            }
            long b = right.of(scope);
            return switch (operator) {
                case '+' -> Math.addExact(a, b);
                case '-' -> Math.subtractExact(a, b);
                case '*' -> Math.multiplyExact(a, b);
                case '/' -> Math.floorDiv(a, b);
                case '%' -> Math.floorMod(a, b);
                case '=' -> a == b ? 1 : 0;
                case '#' -> a != b ? 1 : 0;
                case '<' -> a < b ? 1 : 0;
                case '>' -> a > b ? 1 : 0;
                case 'l' -> a <= b ? 1 : 0;
                case 'g' -> a >= b ? 1 : 0;
                case '&', '|' -> b != 0 ? 1 : 0;
                case 'm' -> Math.min(a, b);
                case 'M' -> Math.max(a, b);
                case 'c' -> Math.ceilDiv(a, b);
                default -> throw new IllegalStateException("not an operator: " + operator);
            };
        }
    }

    record Choice(Formula condition, Formula then, Formula otherwise) implements Formula {
        @Override
        public long of(Scope scope) {
            return condition.of(scope) != 0 ? then.of(scope) : otherwise.of(scope);
        }
    }

    /// A test for a number in a list.
    record Member(String name, Formula wanted) implements Formula {
        @Override
        public long of(Scope scope) {
            return scope.list(name).contains(wanted.of(scope)) ? 1 : 0;
        }
    }

    /// A member of a list, from 0; 0 behind its end.
    record Element(String name, Formula place) implements Formula {
        @Override
        public long of(Scope scope) {
            List<Long> values = scope.list(name);
            long at = place.of(scope);
            return at < 0 || at >= values.size() ? 0 : values.get((int) at);
        }
    }

    /// A property of a name that may be a list.
    record Listed(String what, String name) implements Formula {
        @Override
        public long of(Scope scope) {
            List<Long> values = scope.list(name);
            return switch (what) {
                case "len" -> values.size();
                case "has" -> scope.find(name).isPresent() ? 1 : 0;
                default -> {
                    long sum = 0;
                    for (long value : values) {
                        sum = Math.addExact(sum, value);
                    }
                    yield sum;
                }
            };
        }
    }

    /// A parser that reads a formula from left to right. Confined to one thread.
    final class Parser {
        private final String text;
        private int at;

        private Parser(String text) {
            this.text = text;
        }

        private Formula choice() {
            Formula condition = either();
            if (!take('?')) {
                return condition;
            }
            Formula then = choice();
            require(':');
            return new Choice(condition, then, choice());
        }

        private Formula either() {
            Formula left = comparison();
            while (true) {
                if (take('|')) {
                    left = new Operation('|', left, comparison());
                } else if (take('&')) {
                    left = new Operation('&', left, comparison());
                } else {
                    return left;
                }
            }
        }

        private Formula comparison() {
            Formula left = sum();
            char operator = peek();
            if (operator == '=' || operator == '!' || operator == '<' || operator == '>') {
                at++;
                boolean orEqual = at < text.length() && text.charAt(at) == '=';
                at += orEqual ? 1 : 0;
                char meant = switch (operator) {
                    case '!' -> '#';
                    case '<' -> orEqual ? 'l' : '<';
                    case '>' -> orEqual ? 'g' : '>';
                    default -> '=';
                };
                return new Operation(meant, left, sum());
            }
            return left;
        }

        private Formula sum() {
            Formula left = product();
            while (peek() == '+' || peek() == '-') {
                char operator = text.charAt(at++);
                left = new Operation(operator, left, product());
            }
            return left;
        }

        private Formula product() {
            Formula left = factor();
            while (peek() == '*' || peek() == '/' || peek() == '%') {
                char operator = text.charAt(at++);
                left = new Operation(operator, left, factor());
            }
            return left;
        }

        private Formula factor() {
            if (take('(')) {
                Formula inner = choice();
                require(')');
                return inner;
            }
            if (take('!')) {
                return new Operation('=', factor(), new Constant(0));
            }
            char first = peek();
            if (isDigit(first)) {
                int start = at;
                while (at < text.length() && isDigit(text.charAt(at))) {
                    at++;
                }
                return new Constant(Long.parseLong(text.substring(start, at)));
            }
            return named();
        }

        private Formula named() {
            String name = name();
            if (!take('(')) {
                return new Name(name);
            }
            List<Formula> arguments = new ArrayList<>();
            if (name.equals("len") || name.equals("has") || name.equals("sum")) {
                String list = name();
                require(')');
                return new Listed(name, list);
            }
            if (name.equals("in") || name.equals("at")) {
                String list = name();
                require(',');
                Formula argument = choice();
                require(')');
                return name.equals("in") ? new Member(list, argument) : new Element(list, argument);
            }
            do {
                arguments.add(choice());
            } while (take(','));
            require(')');
            char operator = switch (name) {
                case "min" -> 'm';
                case "max" -> 'M';
                case "ceil" -> 'c';
                default -> throw wrong();
            };
            if (arguments.size() != 2) {
                throw wrong();
            }
            return new Operation(operator, arguments.getFirst(), arguments.getLast());
        }

        private String name() {
            peek();
            int start = at;
            while (at < text.length() && isPartOfName(text.charAt(at))) {
                at++;
            }
            if (start == at) {
                throw wrong();
            }
            return text.substring(start, at);
        }

        private static boolean isPartOfName(char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '.' || c == '@';
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        /// Returns the next character that is not a space; 0 at the end.
        private char peek() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean take(char wanted) {
            if (peek() == wanted) {
                at++;
                return true;
            }
            return false;
        }

        private void require(char wanted) {
            if (!take(wanted)) {
                throw wrong();
            }
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("'" + text + "' is not a formula: error at character " + (at + 1));
        }
    }
}
