// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.fleet.FleetCommand;
import dev.muster.cli.mesh.MeshCommand;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.CommandGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Completion scripts, made from the same specifications as parsing and help. Confined to one thread.
final class CompletionScript {
    private final List<CommandSpec> commands;
    /// The callable words: `mesh`, and each of its words apart. The first is called without any word. Nothing at all
    /// calls the first.
    private final Map<String, CommandSpec> calls = new LinkedHashMap<>();
    /// Options that mean the same everywhere.
    private final List<OptionSpec> common = new ArrayList<>();

    private final StringBuilder out = new StringBuilder();

    private CompletionScript(List<CommandSpec> commands) {
        this.commands = commands;
        calls.put("", commands.getFirst());
        List<CommandGroup> groups = List.of(new MeshCommand(), new FleetCommand());
        for (CommandSpec command : commands) {
            calls.put(command.name(), command);
            for (CommandGroup group : groups) {
                if (command.name().equals(group.title().name())) {
                    group.words().forEach(word -> calls.put(command.name() + " " + word, group.specOf(List.of(word))));
                }
            }
        }
        common.addAll(CommonOptions.GENERAL);
        common.remove(CommonOptions.OUTPUT);
        common.addAll(CommonOptions.SOURCE);
    }

    static String of(String shell, List<CommandSpec> commands) {
        CompletionScript script = new CompletionScript(commands);
        switch (shell) {
            case "bash" -> script.bash();
            case "zsh" -> script.zsh();
            case "fish" -> script.fish();
            default -> throw new AssertionError("no such shell: " + shell);
        }
        return script.out.toString();
    }

    private void line(String... parts) {
        for (String part : parts) {
            out.append(part);
        }
        out.append('\n');
    }

    private List<String> names() {
        return commands.stream().map(CommandSpec::name).toList();
    }

    /// Returns the options that are not the same everywhere.
    private List<OptionSpec> own(CommandSpec command) {
        return command.allOptions().stream()
                .filter(option -> !common.contains(option))
                .toList();
    }

    private void bash() {
        line("# bash completion for muster");
        line("_muster_models='", String.join(" ", CompletionWords.models()), "'");
        line("_muster_devices='", String.join(" ", CompletionWords.devices()), "'");
        line("_muster() {");
        line("    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}");
        line("    local command= value=yes words= word");
        line("    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do");
        line("        case \"$command $word\" in");
        line("            ' ", String.join("'|' ", names()), "') command=$word ;;");
        line("            'mesh ", String.join("'|'mesh ", new MeshCommand().words()), "') command=\"mesh $word\" ;;");
        line(
                "            'fleet ",
                String.join("'|'fleet ", new FleetCommand().words()),
                "') command=\"fleet $word\" ;;");
        line("        esac");
        line("    done");
        line("    case \"$command:$previous\" in");
        calls.forEach((call, command) -> bashValues("'" + call + "'", own(command)));
        bashValues("*", common);
        line("        *) value= ;;");
        line("    esac");
        line("    [ -n \"$value\" ] || case \"$command:$current\" in");
        calls.forEach((call, command) -> {
            String flags = "'" + String.join(" ", flags(command.allOptions())) + "'";
            List<String> operands = operands(call, command);
            boolean nothingElse = operands.isEmpty() && command.operands().isEmpty();
            line("        '", call, "':-*) words=", flags, " ;;");
            line("        '", call, "':*) words=", nothingElse ? flags : quoteWords(operands), " ;;");
        });
        line("    esac");
        line("    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))");
        line("    return 0");
        line("}");
        line("complete -o default -F _muster muster");
    }

    private void bashValues(String call, List<OptionSpec> options) {
        List<String> free = new ArrayList<>();
        for (OptionSpec option : options) {
            if (option.takesValue()) {
                String letter = option.letter() == null ? "" : "|" + call + ":-" + option.letter();
                String pattern = call + ":--" + option.name() + letter;
                List<String> words = CompletionWords.of(option);
                if (words.isEmpty()) {
                    free.add(pattern);
                } else {
                    line("        ", pattern, ") words=", quoteWords(words), " ;;");
                }
            }
        }
        if (!free.isEmpty()) {
            line("        ", String.join("|", free), ") ;;");
        }
    }

    private List<String> operands(String call, CommandSpec command) {
        return call.isEmpty() ? names() : CompletionWords.ofOperands(command, commands);
    }

    private void zsh() {
        line("#compdef muster");
        line("# zsh completion for muster");
        line("_muster() {");
        line("    local _muster_models='", String.join(" ", CompletionWords.models()), "'");
        line("    local _muster_devices='", String.join(" ", CompletionWords.devices()), "'");
        line("    local -a commands common");
        line("    commands=(");
        commands.forEach(command -> line("        ", quote(command.name() + ":" + command.summary())));
        line("    )");
        line("    common=(");
        zshOptions(common, "\n");
        line("    )");
        line("    local context state state_descr line command");
        line("    typeset -A opt_args");
        out.append("    _arguments -C $common");
        zshOptions(own(commands.getFirst()), " \\\n");
        line(" \\\n        '1:command:->command' \\\n        '*::argument:->argument' && return 0");
        line("    case $state in");
        line("        command) _describe -t commands 'muster command' commands ;;");
        line("        argument)");
        line("            command=$line[1]");
        line("            if [[ $command = (mesh|fleet) ]] && (( CURRENT > 2 )); then");
        line("                command=\"$command $words[2]\"; shift words; (( CURRENT-- ))");
        line("            fi");
        line("            case $command in");
        calls.forEach((call, command) -> {
            if (!call.isEmpty()) {
                out.append("                ").append(quote(call)).append(") _arguments $common");
                zshOptions(own(command), " \\\n");
                List<String> words = operands(call, command);
                String action = words.isEmpty() ? "_files" : "'\"(" + String.join(" ", words) + ")\"'";
                line(" \\\n        '*:", command.operands().isEmpty() ? "argument" : "operand", ":", action, "' ;;");
            }
        });
        line("            esac ;;\n    esac\n}");
        line("if [ \"$funcstack[1]\" = _muster ]; then _muster \"$@\"; else compdef _muster muster; fi");
    }

    private void zshOptions(List<OptionSpec> options, String separator) {
        for (OptionSpec option : options) {
            String help = option.help().replace("[", "(").replace("]", ")").replace(":", "\\:");
            List<String> words = CompletionWords.of(option);
            String value = !option.takesValue()
                    ? "'"
                    : ":" + option.value() + ":"
                            + (words.isEmpty()
                                    ? (option.takesFile() ? "_files'" : " '")
                                    : "'\"(" + String.join(" ", words) + ")\"");
            String meaning = ("[" + help + "]").replace("'", "'\\''") + value;
            out.append(separator).append("        '--").append(option.name()).append(meaning);
            if (option.letter() != null) {
                out.append(separator)
                        .append("        '-")
                        .append(option.letter())
                        .append(meaning);
            }
        }
        out.append(separator.length() == 1 ? "\n" : "");
    }

    private void fish() {
        line("# fish completion for muster");
        line("set -g _muster_models ", String.join(" ", CompletionWords.models()));
        line("set -g _muster_devices ", String.join(" ", CompletionWords.devices()));
        line("function _muster_calls");
        line("    set -l command");
        line("    for word in (commandline -opc)[2..-1]");
        line("        if test -z \"$command\"");
        line("            contains -- $word ", String.join(" ", names()), "; and set command $word");
        line("        else if test \"$command\" = mesh");
        line(
                "            contains -- $word ",
                String.join(" ", new MeshCommand().words()),
                "; and set command \"mesh $word\"");
        line("        else if test \"$command\" = fleet");
        line(
                "            contains -- $word ",
                String.join(" ", new FleetCommand().words()),
                "; and set command \"fleet $word\"");
        line("        end");
        line("    end");
        line("    test \"$command\" = \"$argv\"");
        line("end");
        line("complete -c muster -f");
        common.forEach(option -> fishOption("", option));
        commands.forEach(command ->
                line("complete -c muster -n _muster_calls -a ", command.name(), " -d ", quote(command.summary())));
        calls.forEach((call, command) -> {
            String seen = " -n " + quote(("_muster_calls " + call).strip());
            own(command).forEach(option -> fishOption(seen, option));
            List<String> words = call.isEmpty() ? List.of() : operands(call, command);
            if (!words.isEmpty()) {
                line("complete -c muster", seen, " -a ", quote(String.join(" ", words)));
            }
            if (!command.operands().isEmpty() && (words.isEmpty() || words.contains(CompletionWords.MODELS))) {
                line("complete -c muster", seen, " -F");
            }
        });
    }

    private void fishOption(String condition, OptionSpec option) {
        List<String> words = CompletionWords.of(option);
        line(
                "complete -c muster" + condition + " -l " + option.name(),
                option.letter() == null ? "" : " -s " + option.letter(),
                !option.takesValue() ? "" : option.takesFile() ? " -r -F" : " -x",
                words.isEmpty() || !option.takesValue() ? "" : " -a " + quote(String.join(" ", words)),
                " -d " + quote(option.help()));
    }

    private static List<String> flags(List<OptionSpec> options) {
        return options.stream().map(option -> "--" + option.name()).toList();
    }

    /// Words between double quotes, so that a variable among them is read.
    private static String quoteWords(List<String> words) {
        return "\"" + String.join(" ", words) + "\"";
    }

    private static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
