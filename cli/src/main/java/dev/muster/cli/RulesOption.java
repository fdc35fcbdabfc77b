package dev.muster.cli;

/// `--rules`: plans by ai-hwaccel's rules. They are asked for by name, so that they are not taken for more.
final class RulesOption {
    static final OptionSpec RULES = OptionSpec.flag("rules", "use ai-hwaccel's rules instead");

    private RulesOption() {}
}
