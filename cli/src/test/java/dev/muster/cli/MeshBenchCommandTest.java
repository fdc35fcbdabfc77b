// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import dev.muster.report.mesh.BenchReport;
import dev.muster.report.mesh.BenchText;
import dev.muster.report.picture.BenchPicture;
import dev.muster.report.terminal.Terminal;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeshBenchCommandTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    @Needs(Need.SHARED_MEMORY)
    void processesAndThreadsMeasureEveryOperation(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("bench.svg");
        String words = "mesh bench -n 2 --backend shm,tcp,local --operation all --from 8B --to 1KiB --factor 128"
                + " --iterations 3 --json --svg " + svg;

        Outcome outcome = pipe.run(List.of(words.split(" ", -1)));

        assertThat(outcome.err()).isEqualTo("muster: wrote " + svg + "\n");
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.out()).startsWith("{\"schema\":1,\"kind\":\"mesh-bench\",\"ranks\":2,");
        for (String engine : List.of("shm", "tcp", "local")) {
            for (Operation operation : Operation.values()) {
                String row =
                        "{\"backend\":\"" + engine + "\",\"operation\":\"" + operation.text() + "\",\"sizeBytes\":";
                int sizes = operation.equals(Operation.BARRIER) ? 1 : 2;
                assertThat(outcome.out().split(Pattern.quote(row), -1)).as(row).hasSize(sizes + 1);
            }
        }
        assertThat(outcome.out().split("\"wrongElements\":0", -1)).hasSize(3 * 19 + 1);
        assertThat(Files.readString(svg)).contains("all-to-all", "median time of a call", "100 µs");
    }

    @Test
    @Needs(programs = "mpirun")
    void processesOfMpirunMeasureToo() {
        String words = "mesh bench -n 2 --backend mpi --to 1KiB --factor 128 --iterations 3 --json";
        MusterRun withPath =
                pipe.withEnvironment("PATH", System.getenv().getOrDefault("PATH", "")); // mpirun starts nothing without

        Outcome outcome = withPath.run(List.of(words.split(" ", -1)));

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.out().split("\"backend\":\"mpi\",\"operation\":\"all-reduce\"", -1))
                .hasSize(3);
        assertThat(outcome.out().split("\"wrongElements\":0", -1)).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -n 1                     | -n of mesh bench is an integer from 2 to 64, not '1'
            --backend shn            | --backend is one of local, shm, tcp, hier, hier-mpi, hier-gloo, mpi, gloo, not 'shn'; did you mean shm?
            --type float             | --type is one of
            --operation all,reduce   | --operation is one of
            --from 0                 | --from is a size from 1B to 1GiB, such as 64KiB, not '0'
            --to 2GiB                | --to is a size from 1B to 1GiB, such as 64KiB, not '2GiB'
            --from 2KiB --to 1KiB    | --from must not exceed --to
            --factor 1               | --factor of mesh bench is an integer from 2 to 1024, not '1'
            --iterations many        | --iterations of mesh bench is an integer from 1 to 20000, not 'many'
            --type float8-e4m3       | --type: all-reduce needs a type that can be summed; float8-e4m3 is only moved
            fast                     | unexpected argument 'fast'
            -o csv                   | --output is one of table, json, yaml, not 'csv'
            """)
    void whatCannotBeMeasuredIsRefused(String words, String sentence) {
        Outcome outcome = pipe.run(List.of(("mesh bench " + words).split(" ", -1)));

        assertThat(outcome.err()).startsWith("muster: " + sentence);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void figuresAreATable() {
        Golden.assertMatches("mesh-bench", new BenchText(report()).text(new Terminal(true, false, false, 160)));
        Golden.assertMatches("mesh-bench-narrow", new BenchText(report()).text(new Terminal(true, false, false, 72)));
        Golden.assertMatches("mesh-bench-json", new BenchText(report()).json().toIndentedText() + "\n");
    }

    @Test
    void figuresAreDrawn() {
        Golden.assertMatches("mesh-bench-svg", BenchPicture.of(report()));
    }

    /// Invented: twice the time for eight times the bytes; the last has wrong elements.
    private static BenchReport report() {
        List<BenchReport.Row> rows = new ArrayList<>();
        for (String engine : List.of("shm", "tcp")) {
            double start = engine.equals("shm") ? 0.9 : 21;
            for (Operation operation : List.of(Operation.BARRIER, Operation.ALL_REDUCE, Operation.BROADCAST)) {
                double time = start;
                long last = operation.equals(Operation.BARRIER) ? 0 : 64L << 20;
                for (long bytes = last == 0 ? 0 : 8; bytes <= last; bytes = bytes == 0 ? 1 : bytes * 8) {
                    long wrong = bytes == 16L << 20 && operation.equals(Operation.BROADCAST) ? 3 : 0;
                    rows.add(new BenchReport.Row(
                            engine,
                            new BenchFigures(
                                    operation, bytes, 1000, time, time * 1.1, time * 1.2, time, time * 3, wrong, 0)));
                    time *= 2;
                }
            }
        }
        return new BenchReport(4, 2, DType.FLOAT32, rows);
    }
}
