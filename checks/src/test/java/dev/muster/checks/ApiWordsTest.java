// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.checks.ExportedApi.Name;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.detect.Backend;
import dev.muster.model.catalogue.ModelEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The words of the API and of the command line: one word for one idea, and types instead of text.
class ApiWordsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path OPTIONS = ROOT.resolve("cli/src/main/java/dev/muster/cli");

    /// Names of what has a type: `WeightFormat`, `QuantizationLevel`, `Precision`, `TrainingPrecision`, `DType`.
    private static final Set<String> FORMATS = Set.of(
            "format",
            "formats",
            "weightformat",
            "kvformat",
            "quant",
            "quantization",
            "quantizations",
            "level",
            "precision",
            "precisions",
            "dtype");

    /// Members that name a backend of the mesh, over which collectives were measured.
    private static final Set<String> MESH_MEMBERS = Set.of("findMesh", "withBackends", "withMeasuredCollectives");

    /// Methods that parse a format.
    private static final Set<String> READERS = Set.of("parse", "find");

    /// Words of formats as decisions would compare them.
    private static final Pattern FORMAT_WORDS =
            Pattern.compile("\"(fp32|bf16|fp16|f16|fp8|fp8-block|int8|int4|nvfp4|mxfp4|"
                    + "awq|gptq|awq-int4|gptq-int4|nf4|i?q[1-8]_[a-z0-9_]+)\"");

    /// Devices are found by a probe and have a kind, models are served by an engine. A backend carries a process group
    /// of
    /// the mesh or drives its devices; and the type `Backend` keeps its name for users of the reference.
    @ParameterizedTest
    @ValueSource(strings = {"core", "detect", "model", "plan", "evidence", "report"})
    void backendMeansNoneOfFiveThingsOutsideOfTheMesh(String module) throws Exception {
        List<Name> names = ExportedApi.names(module);
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(names)
                .filteredOn(name -> name.name().toLowerCase(Locale.ROOT).contains("backend"))
                .filteredOn(name -> !name.type().equals(Backend.class))
                // Measurements between ranks of a mesh name the mesh's backend.
                .filteredOn(
                        name -> !name.owner().equals(MeshCalibration.class) && !MESH_MEMBERS.contains(name.member()))
                .isEmpty();
    }

    /// Each idea has its own word on the command line too.
    @ParameterizedTest
    @CsvSource({
        "backend, MeshRunCommand.java",
        "only, CommonOptions.java",
        "without, CommonOptions.java",
        "engine, ResultOptions.java"
    })
    void eachIdeaThatWasCalledBackendHasAnOptionOfItsOwn(String option, String names) throws IOException {
        Pattern declared = Pattern.compile("OptionSpec\\.(value|flag|choice)\\(\\s*\"" + option + "\"");
        try (Stream<Path> files = Files.walk(OPTIONS)) {
            assertThat(files.filter(ApiWordsTest::isSource)
                            .filter(source -> declared.matcher(read(source)).find())
                            .map(source -> source.getFileName().toString()))
                    .containsExactlyInAnyOrder(names.split(" "));
        }
    }

    /// Formats are types in the planner's API. The reference's answers about a file keep the word of the file.
    @Test
    void formatsAreNoStringsInWhatPlanExports() throws Exception {
        List<Name> names = new ArrayList<>();
        for (String module : List.of("model", "plan", "evidence", "report")) {
            names.addAll(ExportedApi.names(module));
        }
        List<Name> formats = names.stream()
                .filter(name -> FORMATS.contains(name.name().toLowerCase(Locale.ROOT)))
                .toList();
        assertThat(formats).hasSizeGreaterThan(20);
        assertThat(formats)
                .filteredOn(name -> name.type().getTypeName().contains(String.class.getName()))
                .filteredOn(name -> !READERS.contains(name.member()))
                // A row of the catalogue keeps the words of its table.
                .filteredOn(name -> !name.owner().equals(ModelEntry.class))
                .isEmpty();
    }

    /// Texts become formats where files, tables and names of models are read; what decides and what shows compares no
    /// words.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan/src/main/java/dev/muster/plan/answer",
                "plan/src/main/java/dev/muster/plan/cost",
                "plan/src/main/java/dev/muster/plan/search",
                "plan/src/main/java/dev/muster/plan/serving",
                "report/src/main/java/dev/muster/report",
                "model/src/main/java/dev/muster/model/tensor",
                "cli/src/main/java/dev/muster/cli"
            })
    void formatsAreNoStringsInWhatDecides(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            List<Path> sources = files.filter(ApiWordsTest::isSource).toList();
            assertThat(sources).isNotEmpty();
            assertThat(sources)
                    .filteredOn(source -> FORMAT_WORDS.matcher(read(source)).find())
                    .isEmpty();
        }
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
