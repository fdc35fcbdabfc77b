// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.mpi.MpiJob.Launcher;
import dev.muster.testing.Exclusive;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import dev.muster.testing.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The engine `mpi` among real processes of real launchers.
@Exclusive
@Needs(Need.LINUX)
class MpiEngineTest {
    /// The first rank is Java, the other one the program. Launchers could start two programs themselves, but that of
    /// Open MPI 5.0.7 crashes.
    private static final String EITHER = "count=$1; shift; if [ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = 0 ];"
            + " then exec \"$@\"; else exec \"$0\" \"$count\"; fi";

    /// The last word of a rank that called `MPI_Finalize`.
    private static final String LEFT = "left MPI: MPI_Finalize succeeded";
    private static final String SKIPPED = "skipped MPI_Finalize: group world: ";

    @TempDir
    private Path temporary;

    private static void need(Launcher launcher) {
        Program.require(launcher.words().getFirst());
    }

    private static void allSay(MpiJob job, int ranks, String answer, String... arguments) {
        for (String argument : arguments) {
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(job.answer(rank, argument))
                        .as("rank %d: %s", rank, argument)
                        .isEqualTo(answer);
            }
        }
    }

    /// Checks that every rank called `MPI_Finalize`, and that the launcher has nothing to report.
    private static void allLeft(MpiJob job, int ranks) {
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(job.departure(rank)).isEqualTo(LEFT);
        }
        assertThat(job.status()).as(job.output()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void twoProcessesGiveWhatTheScalarReferenceGives(Launcher launcher) throws Exception {
        need(launcher);
        String[] arguments = {
            "conformance 211 exact",
            "plain 211 near",
            "in-parts 211 exact 100",
            "group 101 exact 1,0",
            "threads",
            "null",
            "retire"
        };
        MpiJob job = MpiJob.run(launcher, 2, Map.of(), arguments);
        allSay(job, 2, "done", arguments);
        allLeft(job, 2);
        assertThat(job.output()).contains("over mpi, it was requested, by lib");
    }

    @ParameterizedTest
    @EnumSource
    void fourProcessesGiveWhatTheScalarReferenceGives(Launcher launcher) throws Exception {
        need(launcher);
        // MPICH's own collectives let no other process run while they wait, and there may be fewer processors than
        // ranks.
        String[] arguments = launcher == Launcher.OPEN_MPI
                ? new String[] {"conformance 101 exact", "plain 101 near", "group 53 exact 3,1,2", "group 53 exact 2"}
                : new String[] {"conformance 53 exact", "group 11 exact 3,1,2"};
        MpiJob job = MpiJob.run(launcher, 4, Map.of(), arguments);
        allSay(job, 4, "done", arguments);
        allLeft(job, 4);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramInCTakesPart(Launcher launcher) throws Exception {
        need(launcher);
        String compiler = launcher == Launcher.OPEN_MPI ? "mpicc.openmpi" : "mpicc.mpich";
        Path partner = temporary.resolve("partner");
        Program.require(compiler);
        compile(compiler, "mpi_partner.c", partner);
        for (int count : new int[] {1, 50_000}) {
            List<String> command = new ArrayList<>(launcher.words());
            command.addAll(List.of("-np", "2", "sh", "-c", EITHER, partner.toString(), Integer.toString(count)));
            command.addAll(MpiJob.java("with-partner", Integer.toString(count)));
            MpiJob job = MpiJob.run(command, Map.of());
            assertThat(job.output())
                    .contains("rank 0: in Java: 0 wrong of " + count)
                    .contains("rank 1 in C: 0 wrong of " + count);
            allLeft(job, 1);
        }
    }

    /// In `MPI_Finalize`, PMIx waits two seconds for mpirun and then reports success. If the ranks then ended, mpirun
    /// would
    /// report that they exited improperly.
    @Test
    void ranksWaitForALauncherThatStopsWhileTheyLeave() throws Exception {
        need(Launcher.OPEN_MPI);
        Path stopper = temporary.resolve("libstopper.so");
        Program.require("mpicc.openmpi");
        compile("mpicc.openmpi", "stop_launcher.c", stopper, "-shared", "-fPIC");
        Path said = temporary.resolve("said-by-rank");
        List<String> command = new ArrayList<>(Launcher.OPEN_MPI.words());
        command.addAll(List.of("-np", "2", "-x", "LD_PRELOAD=" + stopper));
        command.addAll(List.of("sh", "-c", "exec \"$@\" 2> \"$0\"-$OMPI_COMM_WORLD_RANK", said.toString()));
        command.addAll(MpiJob.java("conformance 11 exact"));
        List<Path> errors = List.of(Path.of(said + "-0"), Path.of(said + "-1"));

        MpiJob job = MpiJob.run(command, Map.of(), launcher -> {
            for (Path error : errors) {
                Waiting.until(
                        () -> Files.exists(error) && Files.readString(error).contains(" waits for mpirun"));
            }
            assertThat(Program.run(List.of("sh", "-c", "kill -CONT " + launcher))
                            .code())
                    .isZero();
        });

        assertThat(job.status()).as(job.output()).isZero();
        for (int rank = 0; rank < 2; rank++) {
            assertThat(errors.get(rank)).content().endsWith("muster: rank " + rank + " " + LEFT + "\n");
        }
    }

    private static void compile(String compiler, String source, Path program, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(compiler, "-O1", "-o", program.toString()));
        command.addAll(List.of(options));
        command.add("../mesh/src/test/native/" + source); // also when mesh-processes runs it
        Process compile = new ProcessBuilder(command).inheritIO().start();
        assertThat(compile.waitFor(Waiting.seconds(60), TimeUnit.SECONDS)).isTrue();
        assertThat(compile.exitValue()).isZero();
    }

    @Test
    void aMemberThatDoesNotComeIsNamedAndTheJobEnds() throws Exception {
        need(Launcher.OPEN_MPI);
        MpiJob job = MpiJob.run(Launcher.OPEN_MPI, 2, Map.of(), "late");
        String failure = "group world: all-reduce of 1 int64, sum #2 did not end within";
        assertThat(job.answer(0, "late")).startsWith("failed limit-exceeded [1] " + failure);
        assertThat(job.departure(0)).startsWith("skipped MPI_Finalize: " + failure);
        assertThat(job.status()).as(job.output()).isNotZero();
        assertThat(job.runningForLong()).isEmpty();
    }

    @Test
    void membersThatCallOtherThingsAreTold() throws Exception {
        need(Launcher.OPEN_MPI);
        MpiJob job = MpiJob.run(Launcher.OPEN_MPI, 2, Map.of(), "other-call");
        for (int rank = 0; rank < 2; rank++) {
            assertThat(job.answer(rank, "other-call"))
                    .startsWith("failed disagreement [] group world: all-reduce of ")
                    .contains(" calls something else");
            assertThat(job.departure(rank)).startsWith(SKIPPED + "all-reduce of ");
        }
        assertThat(job.status()).as(job.output()).isNotZero();
    }

    @Test
    void aBufferThatIsNoMoreIsRefused() throws Exception {
        need(Launcher.OPEN_MPI);
        MpiJob job = MpiJob.run(Launcher.OPEN_MPI, 2, Map.of(), "freed");
        assertThat(job.answer(0, "freed")).contains("refused: the memory of the input was freed");
    }

    @ParameterizedTest
    @EnumSource
    void aKilledProcessEndsTheJob(Launcher launcher) throws Exception {
        need(launcher);
        MpiJob job = MpiJob.run(launcher, 3, Map.of(), "fatal");
        assertThat(job.status()).as(job.output()).isNotZero();
        assertThat(job.runningForLong()).isEmpty();
    }

    /// Launchers leave the other processes alone only if they are told to.
    @Test
    void thoseThatAreLeftGoOnWhereMpiCan() throws Exception {
        need(Launcher.OPEN_MPI);
        boolean mitigatesFailures = MpiLibrary.load(MpiProvider.libraries(LaunchContext.from(Map.of())))
                .survivesLosses();
        List<String> command = new ArrayList<>(Launcher.OPEN_MPI.words());
        command.addAll(mitigatesFailures ? List.of("--with-ft", "ulfm") : List.of("--enable-recovery"));
        command.addAll(List.of("-np", "3"));
        command.addAll(MpiJob.java("rebuild"));
        MpiJob job = MpiJob.run(command, Map.of());
        for (int rank = 0; rank < 2; rank++) {
            if (mitigatesFailures) {
                assertThat(job.answer(rank, "rebuild")).isEqualTo("done by 2");
            } else {
                assertThat(job.answer(rank, "rebuild"))
                        .startsWith("failed unavailable [] group world: libmpi.so.40, Open MPI")
                        .contains("cannot go on without the 1 of 3 processes that are lost; start the mesh again");
            }
        }
        assertThat(job.runningForLong()).isEmpty();
    }

    @Test
    void ranksThatMpirunDidNotStartAreToldWhatToDo() throws Exception {
        need(Launcher.OPEN_MPI);
        MpiJob job = MpiJob.run(MpiJob.java("conformance 1 exact"), Map.of("RANK", "0", "WORLD_SIZE", "2"));
        assertThat(job.status()).isNotZero();
        assertThat(job.output())
                .contains("this is rank 0 of 2 in the mesh and rank 0 of 1 for libmpi.so.40, Open MPI")
                .contains("start all ranks with one mpirun of that library");
    }

    @Test
    void aLibraryThatIsNotThereIsNamed() throws Exception {
        MpiJob job = MpiJob.run(
                MpiJob.java("conformance 1 exact"),
                Map.of("RANK", "0", "WORLD_SIZE", "2", "MUSTER_MPI_LIBRARY", "libnothing.so.1"));
        assertThat(job.status()).isNotZero();
        assertThat(job.output())
                .contains(
                        "MPI: libnothing.so.1 is not available, because the loader does not find it; install Open MPI")
                .contains("MUSTER_MPI_LIBRARY");
        MpiJob other = MpiJob.run(
                MpiJob.java("conformance 1 exact"),
                Map.of("RANK", "0", "WORLD_SIZE", "2", "MUSTER_MPI_LIBRARY", "libc.so.6"));
        assertThat(other.output()).contains("MPI: libc.so.6 is not available, because it has no MPI_Initialized");
    }

    @Test
    void ranksOfMpirunMeetWithoutAStoreOverEveryEngine() throws Exception {
        need(Launcher.OPEN_MPI);
        MpiJob job = MpiJob.run(Launcher.OPEN_MPI, 2, Map.of("MUSTER_BACKEND", "auto"), "conformance 11 exact");
        allSay(job, 2, "done", "conformance 11 exact");
        assertThat(job.output()).contains("over shm, all members are processes of one host");
        allLeft(job, 2);
    }

    @ParameterizedTest
    @CsvSource({"aabb,hier-mpi,hier", "abbb,hier-mpi,hier", "abab,hier-mpi,hier", "aabb,mpi,mpi"})
    void hostsThatTalkByMpiGiveTheSame(String hosts, String backend, String engine) throws Exception {
        need(Launcher.OPEN_MPI);
        Map<String, String> variables = Map.of("MUSTER_BACKEND", backend, MpiRankMain.HOSTS, hosts);
        String[] arguments = {"conformance 101 near", "group 53 near 3,1,2", "group 53 near 0,3"};
        MpiJob job = MpiJob.run(Launcher.OPEN_MPI, hosts.length(), variables, arguments);
        allSay(job, hosts.length(), "done", arguments);
        allLeft(job, hosts.length());
        assertThat(job.output()).contains("over " + engine + ", it was requested");
    }

    @Test
    void aMemberOfAnotherHostThatDoesNotComeIsMissed() throws Exception {
        need(Launcher.OPEN_MPI);
        Map<String, String> variables = Map.of("MUSTER_BACKEND", "hier-mpi", MpiRankMain.HOSTS, "aab");
        MpiJob job = MpiJob.run(Launcher.OPEN_MPI, 3, variables, "late");
        // The first that leaves without MPI_Finalize makes mpirun end the others, perhaps before they have said it.
        assertThat(Stream.of(0, 1).map(rank -> job.answer(rank, "late")))
                .anyMatch(answer -> answer.startsWith("failed limit-exceeded [2] group world: all-reduce of 1 int64"))
                .allMatch(answer -> answer.startsWith("failed limit-exceeded [2]") || answer.startsWith("nothing"));
        assertThat(job.status()).as(job.output()).isNotZero();
        assertThat(job.runningForLong()).isEmpty();
    }
}
