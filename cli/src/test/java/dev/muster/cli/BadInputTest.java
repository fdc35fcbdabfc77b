// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.report.text.DeviceField;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Input that is wrong in every way we could think of: one sentence on standard error, the documented exit code,
/// nothing on standard output, and never a stack trace.
class BadInputTest {
    private static final int SPARSE_BYTES = 200_000_000;
    private static final int DEPTH = 100_000;

    @TempDir
    static Path folder = Path.of("");

    private final MusterRun pipe = MusterRun.inPipe();

    /// One wrong input.
    ///
    /// @param words the command line; `DIR` stands for the folder of wrong files
    /// @param code the exit code
    /// @param sentence the message behind `muster: `
    record BadInput(String words, int code, String sentence) {
        @Override
        public String toString() {
            return words.isEmpty() ? "an empty word" : words;
        }
    }

    private static final String COMMAND_NAMES = String.join(", ", new Commands("").names());
    private static final String FIELD_NAMES = "unknown field ''; fields are "
            + Stream.concat(DeviceField.ALL.stream(), DeviceField.COMBINED.stream())
                    .map(DeviceField::name)
                    .collect(Collectors.joining(", "))
            + "; see 'muster help'";

    static final List<BadInput> COMMAND_LINES = List.of(
            usage("--jsn", "unknown option --jsn; did you mean --json?"),
            usage("detect --feilds id", "unknown option --feilds; did you mean --fields?"),
            usage("detect --xyzzy", "unknown option --xyzzy; see 'muster help'"),
            usage("detect -x", "unknown option -x; see 'muster help'"),
            usage("detcet", "unknown command 'detcet'; did you mean detect?"),
            usage("frobnicate", "unknown command 'frobnicate'; commands are " + COMMAND_NAMES + "; see 'muster help'"),
            usage("help chekc", "unknown command 'chekc'; did you mean check?"),
            usage("detect extra", "unexpected argument 'extra'; see 'muster help'"),
            usage("detect -", "unexpected argument '-'; see 'muster help'"),
            usage("detect --output", "option --output needs a value, FORMAT; see 'muster help'"),
            usage(
                    "detect --output jso",
                    "--output is one of table, wide, json, yaml, csv, tsv, name, not 'jso'; did you mean json?"),
            usage("detect --json=yes", "option --json takes no value; see 'muster help'"),
            usage("detect --json --json", "option --json is given twice; see 'muster help'"),
            usage("detect -o json --output csv", "option --output is given twice; see 'muster help'"),
            usage("detect --json -o csv", "give either --json or --output, not both; see 'muster help'"),
            usage("detect --reference -o csv", "--reference requires --output json or yaml; see 'muster help'"),
            usage("detect --json --fields id", "--fields requires --output table, wide, csv or tsv; see 'muster help'"),
            usage("detect --fields id,memry", "unknown field 'memry'; did you mean memory?"),
            usage("detect --fields id,,name", FIELD_NAMES),
            usage("detect --width 19", "--width is a number from 20 to 10000, not '19'; see 'muster help'"),
            usage("detect --width wide", "--width is a number from 20 to 10000, not 'wide'; see 'muster help'"),
            usage("devices --device 3-1", "--device: the range '3-1' runs backwards; write 1-3; see 'muster help'"),
            usage("devices --device 0,,1", "--device: '0,,1' has an empty item between commas; see 'muster help'"),
            usage(
                    "devices --min-memory -5",
                    "--min-memory: '-5' is not a memory size; write a number with KiB, MiB, GiB or TiB, as in 80GiB; "
                            + "see 'muster help'"),
            usage(
                    "devices --min-memory 24",
                    "--min-memory: '24' has no unit; write 24GiB, or 24B for bytes; see 'muster help'"),
            usage(
                    "check --min-free 1.5",
                    "--min-free: '1.5' has no unit; write 1.5GiB, or 1.5B for bytes; see 'muster help'"),
            usage("completion", "completion needs the name of a shell: bash, zsh or fish; see 'muster help'"),
            usage("completion tcsh", "'tcsh' is not one of bash, zsh, fish; see 'muster help'"),
            usage("completion fihs", "'fihs' is not one of bash, zsh, fish; did you mean fish?"),
            usage("detect --columns id --fields id", "give either --fields or --columns, not both; see 'muster help'"),
            usage(
                    "detect --json --columns id",
                    "--columns requires --output table, wide, csv or tsv; see 'muster help'"),
            usage("detect --columns id,memor", "unknown field 'memor'; did you mean memory?"),
            usage(
                    "detect --sort size",
                    "--sort is one of mem, memory, name, device, family, not 'size'; see 'muster help'"),
            usage(
                    "detect --family gup",
                    "--family is one of cpu, gpu, npu, tpu, asic, ai-asic, not 'gup'; did you mean gpu?"),
            usage("detect --summary -o csv", "--summary requires --output table, json or yaml; see 'muster help'"),
            usage("detect --summary --fields id", "--summary has no columns to choose; see 'muster help'"),
            usage(
                    "detect --timing --registry x",
                    "--timing applies to detection, not to --registry; see 'muster help'"),
            usage(
                    "detect --telemetry --registry x",
                    "--telemetry applies to detection, not to --registry; see 'muster help'"),
            usage("detect --only cudaa", "--only: unknown probe 'cudaa'; did you mean cuda?"),
            usage("devices --without vulcan", "--without: unknown probe 'vulcan'; did you mean vulkan?"),
            usage("check --only cuda --without rocm", "give either --only or --without, not both; see 'muster help'"),
            usage(
                    "detect --timeout 0",
                    "--timeout is a time from 10ms to 10m, such as 2s or 500ms, not '0'; see 'muster help'"),
            usage(
                    "detect --timeout 1.2.3s",
                    "--timeout is a time from 10ms to 10m, such as 2s or 500ms, not '1.2.3s'; see 'muster help'"),
            usage(
                    "detect --timeout soon",
                    "--timeout is a time from 10ms to 10m, such as 2s or 500ms, not 'soon'; see 'muster help'"),
            usage(
                    "detect --registry x --host y",
                    "--host does not apply: --registry reads a file, not a machine; see 'muster help'"),
            usage(
                    "detect --registry x --no-exec",
                    "--no-exec does not apply: --registry reads a file, not a machine; see 'muster help'"),
            usage("topology --tree --svg x", "give either --tree or --svg, not both; see 'muster help'"),
            usage("topology --tree --json", "--tree is for people; leave out --output; see 'muster help'"),
            usage("watch -o csv", "--output is one of table, wide, json, not 'csv'; see 'muster help'"),
            usage("completion bash --json", "unknown option --json; see 'muster help'"),
            usage("version -o csv", "--output is one of table, json, yaml, not 'csv'; see 'muster help'"));

    static final List<BadInput> FILES = List.of(
            no("missing.json", "file 'DIR/missing.json' not found; create one with 'muster detect --json > FILE'"),
            no("a-folder", "'DIR/a-folder' is a folder; give a file written by 'muster detect --json'"),
            no(
                    "huge.json",
                    "'DIR/huge.json' is larger than 32 MiB, so it is not a registry; give a file written by "
                            + "'muster detect --json'"),
            document("empty.json", "the document is empty"),
            document("blank.json", "the document is empty"),
            document("truncated.json", "the text ends too early"),
            document("binary.json", "the text is not UTF-8"),
            document("text.json", "a registry document is a JSON object"),
            document("array.json", "a registry document is a JSON object"),
            document("deep-arrays.json", "more than 128 objects and arrays inside each other"),
            document("deep-objects.json", "more than 128 objects and arrays inside each other"),
            document(
                    "no-devices.json",
                    "this is not a registry: it has neither the key 'schema' of Muster's documents nor 'profiles' of ai-hwaccel's"),
            document("newer.json", "the document has schema 99, this Muster reads up to 1; update Muster"));

    @Test
    void aUsageErrorPointsToTheHelpOfTheCommand() {
        MusterRun pipe = MusterRun.inPipe();
        assertThat(pipe.run("plan", "--bogus").err())
                .isEqualTo("muster: unknown option --bogus; see 'muster help plan'\n");
        assertThat(pipe.run("--json", "plan", "--bogus").err()).endsWith("; see 'muster help plan'\n");
        assertThat(pipe.run("mesh", "run", "--bogus").err()).endsWith("; see 'muster help mesh run'\n");
        assertThat(pipe.run("fleet").err()).endsWith("; see 'muster help fleet'\n");
        assertThat(pipe.run("--bogus").err()).endsWith("; see 'muster help'\n");
        assertThat(pipe.run("frobnicate").err()).endsWith("; see 'muster help'\n");
    }

    @Test
    void anOptionThatWasRenamedNamesTheNewOne() {
        MusterRun pipe = MusterRun.inPipe();
        assertThat(pipe.run("plan", "llama-3-8b", "--max-first-token", "2s").err())
                .isEqualTo(
                        "muster: unknown option --max-first-token; it is called --max-ttft now; see 'muster help plan'\n");
        assertThat(pipe.run("detect", "--backend", "cuda").err()).contains("it is called --only now");
    }

    private static BadInput usage(String words, String sentence) {
        return new BadInput(words, ExitCode.USAGE, sentence);
    }

    private static BadInput no(String file, String sentence) {
        return new BadInput(file, ExitCode.NO, sentence);
    }

    /// A file that is not a registry. The position in the message is tested elsewhere.
    private static BadInput document(String file, String problem) {
        return no(file, "cannot read a registry from 'DIR/" + file + "': line L, column C: " + problem);
    }

    @BeforeAll
    static void writeWrongFiles() throws IOException {
        Files.createDirectory(folder.resolve("a-folder"));
        try (RandomAccessFile sparse =
                new RandomAccessFile(folder.resolve("huge.json").toFile(), "rw")) {
            sparse.setLength(SPARSE_BYTES);
        }
        byte[] junk = new byte[4096];
        new Random(1).nextBytes(junk);
        junk[0] = (byte) 0xff;
        Files.write(folder.resolve("binary.json"), junk);
        byte[] registry = Files.readAllBytes(Path.of(MusterRun.H100X8));
        Files.write(folder.resolve("truncated.json"), Arrays.copyOf(registry, 200));
        Files.writeString(folder.resolve("empty.json"), "");
        Files.writeString(folder.resolve("blank.json"), "\n\n");
        Files.writeString(folder.resolve("text.json"), "GPU 0: NVIDIA H100\n");
        Files.writeString(folder.resolve("array.json"), "[{\"profiles\":[]}]");
        Files.writeString(folder.resolve("deep-arrays.json"), "{\"profiles\":" + "[".repeat(DEPTH));
        Files.writeString(folder.resolve("deep-objects.json"), "{\"a\":".repeat(DEPTH));
        Files.writeString(folder.resolve("no-devices.json"), "{}");
        Files.writeString(folder.resolve("newer.json"), "{\"schema\":99,\"kind\":\"registry\",\"devices\":[]}");
    }

    @ParameterizedTest
    @FieldSource("COMMAND_LINES")
    void aWrongCommandLineIsRefused(BadInput input) {
        pipe.run(input.words().split(" ")).assertRefused(input.code(), "muster: " + input.sentence());
    }

    @ParameterizedTest
    @FieldSource("FILES")
    void aWrongFileIsRefusedWhereverARegistryIsRead(BadInput input) {
        String file = folder.resolve(input.words()).toString();
        String sentence = "muster: " + input.sentence().replace("DIR", folder.toString());

        for (List<String> words : List.of(
                List.of("--registry", file),
                List.of("detect", "--json", "--registry", file),
                List.of("devices", "--registry", file),
                List.of("check", "--registry", file),
                List.of("diff", file),
                List.of("diff", MusterRun.H100X8, file))) {
            Outcome outcome = pipe.run(words);

            String anywhere = outcome.err().replaceFirst("line [0-9]+, column [0-9]+:", "line L, column C:");
            new Outcome(outcome.code(), outcome.out(), anywhere).assertRefused(input.code(), sentence);
        }
    }

    @Test
    void aWrongCommandLineIsRefusedBeforeAnyFileIsRead() {
        String missing = folder.resolve("missing.json").toString();

        pipe.run("detect", "--registry", missing, "--json", "--fields", "id")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: --fields requires --output table, wide, csv or tsv; see 'muster help'");
        pipe.run("devices", "--registry", missing, "--fields", "memry")
                .assertRefused(ExitCode.USAGE, "muster: unknown field 'memry'; did you mean memory?");
    }

    @Test
    @Needs({Need.POSIX, Need.ORDINARY_USER})
    void aFileThatMayNotBeReadIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("secret.json"), "{}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

        pipe.run("--registry", file.toString())
                .assertRefused(ExitCode.NO, "muster: cannot read '" + file + "': permission denied");
    }

    @Test
    void wrongTextOnStandardInputIsRefused() {
        pipe.withStdin("nonsense")
                .run("--registry", "-")
                .assertRefused(
                        ExitCode.NO,
                        "muster: cannot read a registry from standard input: "
                                + "line 1, column 1: a registry document is a JSON object");
    }

    @Test
    void controlCharactersInAFileNameDoNotReachTheTerminal() {
        pipe.run("--registry", "a\u001b]0;owned\u0007\nb\u202ec")
                .assertRefused(
                        ExitCode.NO,
                        "muster: file 'a?]0;owned??b?c' not found; create one with 'muster detect " + "--json > FILE'");
    }

    @Test
    void aFileNameThatNoFileCanHaveIsAFileThatIsNotThere() {
        // Where the locale is C, every name with other letters is one of these.
        pipe.run("--registry", "lone-surrogate-\ud800")
                .assertRefused(
                        ExitCode.NO,
                        "muster: file 'lone-surrogate-?' not found; create one with 'muster detect "
                                + "--json > FILE'");
        pipe.run("--registry", "nul-\u0000")
                .assertRefused(
                        ExitCode.NO, "muster: file 'nul-?' not found; create one with 'muster detect --json > FILE'");
    }

    @Test
    void aKeyWithControlCharactersDoesNotReachTheTerminal() {
        pipe.withStdin("{\"profiles\":[],\"\\u001b[2Jx\\u0007\":1}")
                .run("--registry", "-")
                .assertRefused(
                        ExitCode.NO,
                        "muster: cannot read a registry from standard input: "
                                + "line 1, column 35: unknown key '?[2Jx?'; "
                                + "known are schema_version, profiles, warnings, system_io");
    }

    @Test
    void anEndlessWordIsCutInTheMessage() {
        pipe.run("x".repeat(100_000))
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: unknown command '" + "x".repeat(200) + "…'; commands are " + COMMAND_NAMES
                                + "; see 'muster help'");
    }
}
