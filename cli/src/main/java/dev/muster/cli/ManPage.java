// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The manual page, made at build time from the same specifications as parsing and help, beside the completions.
final class ManPage {
    private static final String DEVICES =
            "CUDA_VISIBLE_DEVICES, NVIDIA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, GPU_DEVICE_ORDINAL, "
                    + "ZE_AFFINITY_MASK, HABANA_VISIBLE_DEVICES, ASCEND_RT_VISIBLE_DEVICES, NEURON_RT_VISIBLE_CORES, "
                    + "SLURM_JOB_ID, SLURM_JOB_GPUS, SLURM_STEP_GPUS";
    private static final String MACHINE =
            "TPU_ACCELERATOR_TYPE, TPU_CHIPS_PER_HOST_BOUNDS, AWS_REGION, AWS_DEFAULT_REGION, KUBERNETES_SERVICE_HOST, "
                    + "container";

    private ManPage() {}

    /// Writes the page and the completion scripts below the given folder.
    public static void main(String[] arguments) throws IOException {
        List<CommandSpec> commands = new Commands("").specs();
        Path folder = Path.of(arguments[0]);
        Files.createDirectories(folder.resolve("man"));
        Files.createDirectories(folder.resolve("completion"));
        Files.writeString(folder.resolve("man/muster.1"), text(commands));
        Files.writeString(folder.resolve("completion/muster.bash"), CompletionScript.of("bash", commands));
        Files.writeString(folder.resolve("completion/_muster"), CompletionScript.of("zsh", commands));
        Files.writeString(folder.resolve("completion/muster.fish"), CompletionScript.of("fish", commands));
    }

    static String text(List<CommandSpec> commands) {
        StringBuilder out = new StringBuilder();
        out.append(".TH MUSTER 1 \"\" \"muster ").append(Version.TEXT).append("\" \"User Commands\"\n");
        out.append(".SH NAME\nmuster \\- list AI accelerators and plan models for them\n");
        out.append(".SH SYNOPSIS\n.B muster\n.RI [ COMMAND ]\n.RI [ OPTIONS ]\n");
        out.append(".SH DESCRIPTION\nWithout a command,\n.B muster\nshows a table of the devices of this machine.\n");
        out.append("Data goes to standard output, everything else to standard error.\n");
        out.append(".SH COMMANDS\n");
        for (CommandSpec command : commands) {
            out.append(".SS \"")
                    .append(escape("muster " + command.name() + " " + command.operands())
                            .strip());
            out.append("\"\n").append(sentence(command.summary()));
            options(out, command.options());
            for (String exit : command.exits()) {
                out.append(".PP\nExit code ")
                        .append(escape(exit.replaceFirst("  ", ": ")))
                        .append('\n');
            }
            for (CommandSpec.Example example : command.examples()) {
                out.append(".PP\n.nf\n.RS\n").append(escape(example.line())).append("\n.RE\n.fi\n");
                out.append(sentence(example.meaning()));
            }
        }
        out.append(".SH MACHINE OPTIONS\n");
        options(out, CommonOptions.SOURCE);
        out.append(".SH COMMON OPTIONS\n");
        options(out, CommonOptions.GENERAL);
        out.append(".SH EXIT STATUS\n");
        HelpText.EXITS.forEach(exit -> tagged(out, exit.line(), exit.meaning()));
        tagged(out, "3", "no accelerator, with \\-\\-require\\-accelerator");
        tagged(out, "4", "incomplete result, with \\-\\-strict");
        out.append(".SH ENVIRONMENT\n");
        tagged(out, "MUSTER_JAVA_HOME", "Java installation to use");
        tagged(out, "MUSTER_JAVA_OPTS", "additional Java options");
        tagged(out, "MUSTER_LOG", "log level, unless \\-\\-log\\-level is given");
        tagged(out, "NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR", "coloured output, unless \\-\\-color is given");
        tagged(out, "TERM, COLUMNS, LC_ALL, LC_CTYPE, LANG", "capabilities of the terminal");
        tagged(
                out,
                "XDG_CACHE_HOME, HOME",
                "place of calibrations, and of the start\\-up cache if the program's folder is read\\-only");
        tagged(out, DEVICES, "devices visible to this process or its job");
        tagged(out, "NCCL_TOPO_FILE", "topology file of the machine, as provided by some clouds");
        tagged(out, MACHINE, "type of this machine");
        tagged(
                out,
                "SLURM_CONF, SLURM_JWT, USER, KUBECONFIG, KUBERNETES_SERVICE_PORT, SSH_AUTH_SOCK",
                "addresses and credentials of clusters, for 'muster fleet' only");
        tagged(
                out,
                "MUSTER_STORE, MUSTER_SECRET, MUSTER_BACKEND, MUSTER_LIMIT, MUSTER_MESH_TLS, MUSTER_RECORDINGS, MUSTER_MPI_LIBRARY, "
                        + "MUSTER_GLOO_SHIM and those of torchrun, MPI, Slurm and Kubernetes",
                "rank and rendezvous of a process in a mesh, for mesh commands only");
        tagged(
                out,
                "MUSTER_JVM_DIRS, MUSTER_PRINT_COMMAND, MUSTER_CACHE_DRIVER, MUSTER_CACHE_WAIT, MUSTER_BUILD_WAIT",
                "start of the program, for tests");
        return out.toString();
    }

    private static void options(StringBuilder out, List<OptionSpec> options) {
        for (OptionSpec option : options) {
            tagged(out, escape(option.synopsis().strip()), escape(option.help()));
        }
    }

    private static void tagged(StringBuilder out, String tag, String text) {
        out.append(".TP\n.B ").append(tag).append('\n').append(text).append('\n');
    }

    private static String sentence(String text) {
        return escape(Character.toUpperCase(text.charAt(0)) + text.substring(1)) + (text.endsWith("?") ? "\n" : ".\n");
    }

    private static String escape(String text) {
        String dashes = text.replace("\\", "\\e").replace("-", "\\-");
        return dashes.startsWith(".") || dashes.startsWith("'") ? "\\&" + dashes : dashes;
    }
}
