package dev.muster.plan.launch;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// When a row of a template holds: `tensor>1;experts=0`, all of it. `a=x|y` is one of several, `a!=x`
/// none of them, `a` that the fact is known and `!a` that it is not. A comparison with what is not known
/// does not hold. Immutable.
///
/// @param terms what has to hold
record TemplateCondition(List<Term> terms) {
    private static final Pattern TERM = Pattern.compile("(!?)(\\w+)(?:(!=|=|>|<)([\\w.|-]+))?");

    TemplateCondition {
        terms = List.copyOf(terms);
    }

    /// One comparison.
    ///
    /// @param fact what is compared
    /// @param sign `known`, `absent`, `=`, `!=`, `>` or `<`
    /// @param values what with
    record Term(LaunchFact fact, String sign, List<String> values) {
        boolean holds(LaunchFacts facts) {
            Optional<String> value = facts.find(fact);
            if (sign.equals("absent")) {
                return value.isEmpty();
            }
            return value.isPresent() && compares(value.get());
        }

        private boolean compares(String value) {
            return switch (sign) {
                case "known" -> true;
                case "=" -> values.contains(value);
                case "!=" -> !values.contains(value);
                case ">" -> new BigDecimal(value).compareTo(new BigDecimal(values.getFirst())) > 0;
                case "<" -> new BigDecimal(value).compareTo(new BigDecimal(values.getFirst())) < 0;
                default -> throw new IllegalStateException(sign);
            };
        }
    }

    /// Reads a condition; a blank one always holds.
    ///
    /// @throws IllegalArgumentException if it is none
    static TemplateCondition parse(String text) {
        List<Term> terms = new ArrayList<>();
        for (String piece : text.isBlank() ? List.<String>of() : List.of(text.split(";", -1))) {
            Matcher matcher = TERM.matcher(piece.strip());
            if (!matcher.matches() || (!matcher.group(1).isEmpty() && matcher.group(3) != null)) {
                throw new IllegalArgumentException("'" + piece + "' is no condition of a template");
            }
            String sign = matcher.group(3) != null
                    ? matcher.group(3)
                    : matcher.group(1).isEmpty() ? "known" : "absent";
            List<String> values = matcher.group(4) == null
                    ? List.of()
                    : List.of(matcher.group(4).split("\\|", -1));
            terms.add(new Term(TemplateText.require(matcher.group(2)), sign, values));
        }
        return new TemplateCondition(terms);
    }

    boolean holds(LaunchFacts facts) {
        return terms.stream().allMatch(term -> term.holds(facts));
    }
}
