package dev.muster.cli;

import java.util.ArrayList;
import java.util.List;

/// Completion scripts, made from the same specifications as parsing and help.
final class CompletionScript {
    private CompletionScript() {}

    static String of(String shell, List<CommandSpec> commands) {
        return switch (shell) {
            case "bash" -> bash(commands);
            case "zsh" -> zsh(commands);
            case "fish" -> fish(commands);
            default -> throw new AssertionError("no such shell: " + shell);
        };
    }

    private static String bash(List<CommandSpec> commands) {
        StringBuilder out = new StringBuilder();
        out.append("# bash completion for muster\n");
        out.append("_muster() {\n");
        out.append("    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word\n");
        out.append("    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n");
        out.append("        case $word in ").append(String.join("|", names(commands)));
        out.append(") command=$word; break ;; esac\n");
        out.append("    done\n");
        out.append("    case $previous in\n");
        for (OptionSpec option : distinctOptions(commands)) {
            bashValues(out, option);
        }
        out.append("    esac\n");
        out.append("    case $command in\n");
        for (CommandSpec command : commands) {
            out.append("        ").append(command.name()).append(") COMPREPLY=($(compgen -W \"");
            out.append(String.join(" ", words(command, commands))).append("\" -- \"$current\")) ;;\n");
        }
        out.append("        *) COMPREPLY=($(compgen -W \"");
        out.append(String.join(" ", names(commands))).append(' ');
        out.append(String.join(" ", flags(CommonOptions.ALL))).append("\" -- \"$current\")) ;;\n");
        out.append("    esac\n");
        out.append("    [ \"$command\" = diff ] && [ \"${current#-}\" = \"$current\" ] && COMPREPLY=()\n");
        out.append("    return 0\n");
        out.append("}\n");
        out.append("complete -o default -F _muster muster\n");
        return out.toString();
    }

    private static void bashValues(StringBuilder out, OptionSpec option) {
        if (!option.takesValue()) {
            return;
        }
        String pattern = "--" + option.name() + (option.letter() == null ? "" : "|-" + option.letter());
        String action = option.choices().isEmpty()
                ? "COMPREPLY=()"
                : "COMPREPLY=($(compgen -W \"" + String.join(" ", option.choices()) + "\" -- \"$current\"))";
        out.append("        ").append(pattern).append(") ").append(action).append("; return 0 ;;\n");
    }

    private static String zsh(List<CommandSpec> commands) {
        StringBuilder out = new StringBuilder();
        out.append("#compdef muster\n# zsh completion for muster\n");
        out.append("_muster() {\n    local -a commands\n    commands=(\n");
        for (CommandSpec command : commands) {
            out.append("        ")
                    .append(quote(command.name() + ":" + command.summary()))
                    .append('\n');
        }
        out.append("    )\n");
        out.append("    local context state state_descr line\n    typeset -A opt_args\n");
        out.append("    _arguments -C");
        zshOptions(out, CommonOptions.ALL, "        ");
        out.append(" \\\n        '1:command:->command' \\\n        '*::argument:->argument' && return 0\n");
        out.append("    case $state in\n");
        out.append("        command) _describe -t commands 'muster command' commands ;;\n");
        out.append("        argument)\n            case $line[1] in\n");
        for (CommandSpec command : commands) {
            out.append("                ").append(command.name()).append(") _arguments");
            zshOptions(out, command.allOptions(), "                    ");
            if (command.name().equals(MeshCommand.NAME)) {
                out.append(" \\\n                    ")
                        .append(quote("1:word:(" + String.join(" ", MeshCommand.words()) + ")"));
            }
            out.append(" \\\n                    ").append(quote("*:" + zshOperand(command, commands)));
            out.append(" ;;\n");
        }
        out.append("            esac ;;\n    esac\n}\n");
        out.append("if [ \"$funcstack[1]\" = _muster ]; then _muster \"$@\"; else compdef _muster muster; fi\n");
        return out.toString();
    }

    private static void zshOptions(StringBuilder out, List<OptionSpec> options, String indent) {
        for (OptionSpec option : options) {
            String help = option.help().replace("[", "(").replace("]", ")").replace(":", "\\:");
            String value = "";
            if (option.takesValue()) {
                String action = option.choices().isEmpty()
                        ? (option.takesFile() ? "_files" : " ")
                        : "(" + String.join(" ", option.choices()) + ")";
                value = ":" + option.value() + ":" + action;
            }
            out.append(" \\\n").append(indent).append(quote("--" + option.name() + "[" + help + "]" + value));
            if (option.letter() != null) {
                out.append(" \\\n").append(indent).append(quote("-" + option.letter() + "[" + help + "]" + value));
            }
        }
    }

    private static String zshOperand(CommandSpec command, List<CommandSpec> commands) {
        if (command.name().equals("help")) {
            return "command:(" + String.join(" ", names(commands)) + ")";
        }
        return command.operandChoices().isEmpty()
                ? "file:_files"
                : "shell:(" + String.join(" ", command.operandChoices()) + ")";
    }

    private static String fish(List<CommandSpec> commands) {
        StringBuilder out = new StringBuilder("# fish completion for muster\n");
        String noCommand = "not __fish_seen_subcommand_from " + String.join(" ", names(commands));
        out.append("complete -c muster -f\n");
        for (CommandSpec command : commands) {
            out.append("complete -c muster -n ")
                    .append(quote(noCommand))
                    .append(" -a ")
                    .append(command.name());
            out.append(" -d ").append(quote(command.summary())).append('\n');
        }
        for (OptionSpec option : CommonOptions.ALL) {
            fishOption(out, "", option);
        }
        for (CommandSpec command : commands) {
            String seen = "__fish_seen_subcommand_from " + command.name();
            command.options().forEach(option -> fishOption(out, " -n " + quote(seen), option));
            List<String> operands = operandWords(command, commands);
            if (!operands.isEmpty()) {
                out.append("complete -c muster -n ").append(quote(seen));
                out.append(" -a ").append(quote(String.join(" ", operands))).append('\n');
            }
            if (!command.operands().isEmpty()
                    && (operands.isEmpty() || command.name().equals(MeshCommand.NAME))) {
                out.append("complete -c muster -n ").append(quote(seen)).append(" -F\n");
            }
        }
        return out.toString();
    }

    private static void fishOption(StringBuilder out, String condition, OptionSpec option) {
        out.append("complete -c muster").append(condition).append(" -l ").append(option.name());
        out.append(option.letter() == null ? "" : " -s " + option.letter());
        if (option.takesValue()) {
            out.append(option.takesFile() ? " -r -F" : " -x");
        }
        if (!option.choices().isEmpty()) {
            out.append(" -a ").append(quote(String.join(" ", option.choices())));
        }
        out.append(" -d ").append(quote(option.help())).append('\n');
    }

    private static List<String> words(CommandSpec command, List<CommandSpec> commands) {
        List<String> words = new ArrayList<>(flags(command.allOptions()));
        words.addAll(operandWords(command, commands));
        return words;
    }

    /// Operands that are known words; the first operand of `mesh` is one.
    private static List<String> operandWords(CommandSpec command, List<CommandSpec> commands) {
        return switch (command.name()) {
            case "help" -> names(commands);
            case MeshCommand.NAME -> MeshCommand.words();
            default -> command.operandChoices();
        };
    }

    private static List<String> flags(List<OptionSpec> options) {
        return options.stream().map(option -> "--" + option.name()).toList();
    }

    private static List<String> names(List<CommandSpec> commands) {
        return commands.stream().map(CommandSpec::name).toList();
    }

    private static List<OptionSpec> distinctOptions(List<CommandSpec> commands) {
        List<OptionSpec> all = new ArrayList<>(CommonOptions.ALL);
        for (CommandSpec command : commands) {
            for (OptionSpec option : command.options()) {
                if (all.stream().noneMatch(known -> known.name().equals(option.name()))) {
                    all.add(option);
                }
            }
        }
        return all;
    }

    private static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
