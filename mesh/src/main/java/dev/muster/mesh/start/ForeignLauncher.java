// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.start;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A launcher of a cluster that starts the ranks in our place: `mpirun` or `srun`, with options of its own.
///
/// @param kind launcher whose way of counting processes it has
/// @param words the command and its options
public record ForeignLauncher(Kind kind, List<String> words) {
    /// By which Open MPI is told what to hand on.
    private static final String HANDED_ON = "OMPI_MCA_mca_base_env_list";

    /// The product that the launcher belongs to.
    public enum Kind {
        /// `mpirun` or `mpiexec`, of any library.
        MPI,
        /// `srun` of Slurm.
        SLURM
    }

    /// Copies the words.
    public ForeignLauncher {
        words = List.copyOf(words);
    }

    /// The launcher that people write: a command, and options with blanks between.
    public static Optional<ForeignLauncher> parse(String text) {
        List<String> words = List.of(text.strip().split(" +"));
        String name = String.valueOf(Path.of(words.getFirst()).getFileName());
        if (name.startsWith("mpirun") || name.startsWith("mpiexec")) {
            return Optional.of(new ForeignLauncher(Kind.MPI, words));
        }
        return name.equals("srun") ? Optional.of(new ForeignLauncher(Kind.SLURM, words)) : Optional.empty();
    }

    /// The command that starts so many processes of a program.
    List<String> command(int processes, List<String> program) {
        List<String> command = new ArrayList<>(words);
        command.addAll(List.of("-n", Integer.toString(processes)));
        if (kind == Kind.MPI && Path.of(program.getFirst()).endsWith("java")) {
            // Open MPI 4 looks for a class path in the arguments of Java, takes -Xbootclasspath/a: for one and
            // rewrites what follows. It knows Java by its name alone.
            command.add("env");
        }
        command.addAll(program);
        return command;
    }

    /// The variables of the launcher itself. Slurm hands all of them on; Open MPI to other hosts only those that are
    /// named to it.
    Map<String, String> variables(Map<String, String> inherited, Map<String, String> ofAll) {
        Map<String, String> variables = new LinkedHashMap<>(inherited);
        variables.putAll(ofAll);
        if (kind == Kind.MPI) {
            // Beside those that the user has named already.
            variables.merge(HANDED_ON, String.join(";", ofAll.keySet()), (named, ours) -> named + ";" + ours);
        }
        return variables;
    }

    /// A script that starts the same as a batch job, or by hand without a queue.
    ///
    /// @param options of `muster mesh run`, such as `--limit 10s`
    public String script(int processes, List<String> options, List<String> program) {
        StringBuilder script = new StringBuilder("#!/bin/sh\n");
        List<String> command = new ArrayList<>(List.of("exec", "muster", "mesh", "run", "-n"));
        command.add(Integer.toString(processes));
        options.forEach(option -> command.add(quoted(option)));
        command.addAll(List.of("--launcher", quoted(String.join(" ", words))));
        if (kind == Kind.SLURM) {
            script.append("#SBATCH --job-name=muster\n#SBATCH --ntasks=")
                    .append(processes)
                    .append('\n');
            // Ranks on other nodes meet at the node that runs this script.
            command.addAll(List.of("--address", "\"$SLURMD_NODENAME\""));
        }
        command.add("--");
        program.forEach(word -> command.add(quoted(word)));
        return script.append(String.join(" ", command)).append('\n').toString();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
