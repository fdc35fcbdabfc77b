// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.ask.PlanPictureOption;
import dev.muster.cli.bench.BackendBench;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.unit.Bytes;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.session.Backends;
import dev.muster.report.mesh.BenchReport;
import dev.muster.report.mesh.BenchText;
import dev.muster.report.picture.BenchPicture;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// `muster mesh bench`: how fast the operations of a mesh are on this host.
final class MeshBenchCommand implements Command {
    /// Buffers of the bench lie in the host's memory, which no backend for devices carries.
    private static final List<EngineProvider> KNOWN =
            Backends.list().stream().filter(backend -> !backend.isForDevices()).toList();
    static final OptionSpec OPERATION = OptionSpec.value(
            "operation", "NAMES", "bench: operations, separated by commas, or all (default: all-reduce)");
    static final OptionSpec FROM = OptionSpec.value("from", "SIZE", "bench: smallest size (default: 8B)");
    static final OptionSpec TO = OptionSpec.value("to", "SIZE", "bench: largest size (default: 64MiB)");
    static final OptionSpec FACTOR = OptionSpec.value("factor", "N", "bench: growth factor between sizes (default: 8)");
    static final OptionSpec TYPE =
            OptionSpec.value("type", "NAME", "bench: element type, such as bfloat16 (default: float32)");
    static final OptionSpec ITERATIONS = OptionSpec.value(
            "iterations",
            "N",
            "bench: timed calls per size, after as many warm-up calls (default: auto, as many as fit " + "in 0.3 s)");
    static final OptionSpec SVG = OptionSpec.value(
            "svg",
            "FILE",
            "bench: write a picture of times and bandwidths to FILE (- for stdout, instead of the table)");

    private static final String AUTO = "auto";
    private static final String USUAL_BACKENDS = "shm,tcp";
    private static final int USUAL_RANKS = 4;
    /// Up to here sums of the test numbers are exact in every type.
    private static final int MOST_RANKS = 64;
    private static final int MOST_FACTOR = 1_024;
    private static final long MOST_BYTES = 1L << 30;
    private static final Duration WARM_UP = Duration.ofMillis(1_500);
    private static final Duration BUDGET = Duration.ofMillis(300);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mesh bench", "measure collectives between ranks on this machine");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(MeshRunCommand.PROCESSES, MeshRunCommand.BACKEND)
                .with(OPERATION, FROM, TO, FACTOR, TYPE, ITERATIONS, SVG)
                .exiting("1  a result was wrong")
                .example("muster mesh bench", "all-reduce between four ranks, by size and backend")
                .example("muster mesh bench -n 2 --operation all --backend shm", "all operations over shared memory");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        return new Measurement(arguments, session).run();
    }

    /// One measurement, with its arguments.
    private record Measurement(Arguments arguments, Session session) {
        private int run() {
            arguments.refuse(CommonOptions.SOURCE, "mesh bench measures this machine");
            int ranks = arguments
                    .find(MeshRunCommand.PROCESSES)
                    .map(text -> number("-n", text, 2, MOST_RANKS))
                    .orElse(USUAL_RANKS);
            BenchPlan plan = plan();
            List<EngineProvider> backends = backends();
            try {
                BenchReport report = BackendBench.measure(
                        plan,
                        backends,
                        ranks,
                        session.host().variables(),
                        row -> session.progress("measured " + row.backend() + " "
                                + row.figures().operation().text() + " "
                                + BenchText.size(row.figures().bytes())));
                session.progress("");
                PlanPictureOption.print(arguments, session, new BenchText(report), () -> BenchPicture.of(report));
                return report.isRight() ? ExitCode.OK : ExitCode.NO;
            } catch (IOException e) {
                throw new CommandException("cannot measure", e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return MeshRunCommand.INTERRUPTED;
            }
        }

        private BenchPlan plan() {
            long from = size(FROM, 8);
            long to = size(TO, 64L << 20);
            if (from > to) {
                throw new UsageException("--from must not exceed --to");
            }
            int factor = arguments
                    .find(FACTOR)
                    .map(text -> number("--factor", text, 2, MOST_FACTOR))
                    .orElse(8);
            int calls = arguments
                    .find(ITERATIONS)
                    .filter(text -> !text.equals(AUTO))
                    .map(text -> number("--iterations", text, 1, BenchPlan.MOST_CALLS))
                    .orElse(0);
            DType type = arguments
                    .find(TYPE)
                    .map(text -> one(TYPE, text, List.of(DType.values()), DType::text))
                    .orElse(DType.FLOAT32);
            try {
                // Who says how many calls there shall be gets no others.
                Duration warmUp = calls == 0 ? WARM_UP : Duration.ZERO;
                return new BenchPlan(operations(), type, sizes(from, to, factor), calls, warmUp, BUDGET);
            } catch (IllegalArgumentException e) {
                throw new UsageException("--type", e);
            }
        }

        /// Returns the sizes; the largest is always among them.
        private static List<Long> sizes(long from, long to, int factor) {
            List<Long> sizes = new ArrayList<>();
            for (long size = from; size < to; size *= factor) {
                sizes.add(size);
            }
            sizes.add(to);
            return sizes;
        }

        private long size(OptionSpec option, long usual) {
            return arguments
                    .find(option)
                    .map(text -> {
                        try {
                            double bytes = Bytes.parse(text).toDouble();
                            if (bytes >= 1 && bytes <= MOST_BYTES) {
                                return (long) bytes;
                            }
                        } catch (IllegalArgumentException _) {
                            // told below
                        }
                        throw option.isNot("a size from 1B to 1GiB, such as 64KiB", text);
                    })
                    .orElse(usual);
        }

        private List<EngineProvider> backends() {
            String names = arguments.find(MeshRunCommand.BACKEND).orElse(USUAL_BACKENDS);
            return all(MeshRunCommand.BACKEND, names, KNOWN, EngineProvider::name);
        }

        private List<Operation> operations() {
            return arguments
                    .find(OPERATION)
                    .map(text -> text.equals("all")
                            ? List.of(Operation.values())
                            : all(OPERATION, text, List.of(Operation.values()), Operation::text))
                    .orElse(List.of(Operation.ALL_REDUCE));
        }

        private static <T> List<T> all(OptionSpec option, String text, List<T> known, Function<T, String> name) {
            return Arrays.stream(text.split(",", -1))
                    .map(word -> one(option, word.strip(), known, name))
                    .distinct()
                    .toList();
        }

        private static <T> T one(OptionSpec option, String word, List<T> known, Function<T, String> name) {
            List<String> names = known.stream().map(name).toList();
            int index = names.indexOf(word);
            if (index < 0) {
                throw new UsageException("--" + option.name() + " is one of " + String.join(", ", names) + ", not '"
                        + Printable.of(word) + "'" + UsageException.hint(word, names, ""));
            }
            return known.get(index);
        }

        private static int number(String option, String text, int least, int most) {
            int number = Numbers.digits(text, 6);
            if (number < least || number > most) {
                throw new UsageException(option + " of mesh bench is an integer from " + least + " to " + most
                        + ", not '" + Printable.of(text) + "'");
            }
            return number;
        }
    }
}
