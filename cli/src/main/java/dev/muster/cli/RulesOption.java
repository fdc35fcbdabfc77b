package dev.muster.cli;

/// `--rules`: plans by ai-hwaccel's rules. They are asked for by name, so that nobody takes them for more.
final class RulesOption {
    static final OptionSpec RULES = OptionSpec.flag("rules", "use ai-hwaccel's rules instead");

    private RulesOption() {}

    /// @throws UsageException if they are not asked for
    static void require(Arguments arguments, String command) {
        if (!arguments.has(RULES)) {
            throw new UsageException("so far " + command + " knows only ai-hwaccel's rules; ask for them with --rules");
        }
    }
}
