// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.launch;

import dev.muster.mesh.launch.LaunchContext.LaunchSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Decides whose variables to believe, and whether they make sense. Pure.
///
/// @param variables the variables of the process
record LaunchReader(LaunchVariables variables) {
    LaunchContext read() {
        List<LaunchSource> whole = new ArrayList<>();
        List<LaunchSource> half = new ArrayList<>();
        for (LaunchSource source : LaunchSource.values()) {
            if (source == LaunchSource.NONE || (source == LaunchSource.SLURM && isSlurmJobItself())) {
                continue;
            }
            boolean rank = variables.has(source.rank());
            boolean size = variables.has(source.worldSize());
            if (rank && size) {
                whole.add(source);
            } else if (rank || (size && source != LaunchSource.INDEXED_JOB)) {
                half.add(source);
            }
        }
        if (whole.isEmpty()) {
            return half.isEmpty() ? alone() : incomplete(half.getFirst());
        }
        return of(whole.getFirst(), whole.subList(1, whole.size()));
    }

    /// The script of a job and the shell of `salloc` have the number of tasks, and the script even has a rank. But
    /// only what `srun` starts has a step and is a task.
    private boolean isSlurmJobItself() {
        return variables.has("SLURM_JOB_ID") && !variables.has("SLURM_STEP_ID");
    }

    private LaunchContext alone() {
        String reason = isSlurmJobItself()
                ? "this is a job of Slurm, but not a task that srun started"
                : "no launcher has set variables";
        return new LaunchContext(LaunchSource.NONE, reason, 0, 1, variables);
    }

    private LaunchContext incomplete(LaunchSource source) {
        boolean rank = variables.has(source.rank());
        String there = rank ? source.rank() : source.worldSize();
        String missing = rank ? source.worldSize() : source.rank();
        throw new LaunchException(
                source == LaunchSource.INDEXED_JOB
                        ? there + " says which process this is, but not of how many; set WORLD_SIZE to the completions"
                                + " of the Job"
                        : there + " is set and " + missing + " is not, though " + source.title() + " sets both; set "
                                + missing + " or unset " + there);
    }

    private LaunchContext of(LaunchSource source, List<LaunchSource> others) {
        int rank = require(source.rank());
        int size = require(source.worldSize());
        requireWithin(source.rank(), rank, source.worldSize(), size);
        Optional<Integer> localRank = variables.findNumber(source.localRank());
        Optional<Integer> localSize = variables.findNumber(source.localWorldSize());
        if (localRank.isPresent() && localSize.isPresent()) {
            requireWithin(source.localRank(), localRank.get(), source.localWorldSize(), localSize.get());
        }
        localRank.ifPresent(local -> requireNotAbove(source.localRank(), local, source.rank(), rank));
        localSize.ifPresent(local -> requireNotAbove(source.localWorldSize(), local, source.worldSize(), size));
        variables.findNumber(source.groupRank());
        variables.findNumber("MASTER_PORT").ifPresent(LaunchReader::requirePort);
        requireSame(LaunchSource.TORCHRUN.rank(), rank, source.rank());
        requireSame(LaunchSource.TORCHRUN.worldSize(), size, source.worldSize());
        return new LaunchContext(source, reason(source, others), rank, size, variables);
    }

    private static String reason(LaunchSource source, List<LaunchSource> others) {
        String set = source.rank() + " and " + source.worldSize() + " of " + source.title() + " are set";
        List<String> passedOver = others.stream().map(LaunchSource::title).toList();
        return passedOver.isEmpty()
                ? set
                : set + ", which are nearer to the process than those of " + String.join(" and ", passedOver);
    }

    private int require(String name) {
        return variables.findNumber(name).orElseThrow(() -> new LaunchException(name + " is not set"));
    }

    private static void requireWithin(String what, int value, String of, int count) {
        if (value >= count) {
            throw new LaunchException(what + " is " + value + " and " + of + " is " + count
                    + ", but the first counts from 0 up to one" + " less than the second");
        }
    }

    private static void requireNotAbove(String part, int value, String whole, int most) {
        if (value > most) {
            throw new LaunchException(part + " is " + value + ", which is more than the " + most + " of " + whole);
        }
    }

    private static void requirePort(int port) {
        if (port < 1 || port > 65_535) {
            throw new LaunchException("MASTER_PORT is a port from 1 to 65535, not " + port);
        }
    }

    /// Scripts often set one of torchrun's variables beside another launcher's: then they have to agree.
    private void requireSame(String name, int expected, String other) {
        variables.findNumber(name).filter(value -> value != expected).ifPresent(value -> {
            throw new LaunchException(
                    name + " is " + value + " and " + other + " is " + expected + "; unset the one that is wrong");
        });
    }
}
