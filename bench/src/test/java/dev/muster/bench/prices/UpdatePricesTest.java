// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.catalogue.CloudProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdatePricesTest {
    private static final Path RESOURCES = Synthetic.FOLDER.resolveSibling("synthetic-tables");
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 18);
    /// These tests ask no provider.
    private static final Answers NO_PROVIDER =
            LiveAnswers.of(Map.of(CloudProvider.AWS, URI.create("https://invalid/")), "");

    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Path table;

    @BeforeEach
    void copyTheTable() throws IOException {
        table = folder.resolve("prices.csv");
        Files.copy(RESOURCES.resolve("before.csv"), table);
    }

    private int run(String... words) {
        List<String> arguments = new ArrayList<>(List.of(table.toString()));
        arguments.addAll(Arrays.asList(words));
        return new UpdatePrices(new PrintStream(printed, true, StandardCharsets.UTF_8))
                .run(arguments, TODAY, NO_PROVIDER);
    }

    private String said() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesTheTableAnew() throws IOException {
        assertThat(run("--from", Synthetic.FOLDER.toString(), "--date", "2026-11-12"))
                .as(this::said)
                .isZero();
        assertThat(table).hasSameTextualContentAs(RESOURCES.resolve("after.csv"));
        assertThat(said())
                .contains("update-prices: aws p3.8xlarge us-west-2 is not listed; what was known of it is kept\n")
                .contains("update-prices: aws g5.xlarge us-east-1 has 8 vCPUs there, not 4; ")
                .contains("update-prices: azure Standard_ND96isr_H200_v5 eastus2 is not listed; ")
                .contains("update-prices: gcp g2-standard-4 us-central1 is not listed: no price of 'Nvidia L4 GPU'; ")
                .endsWith(" of 80 prices are of 2026-11-12\n");
    }

    @Test
    void onlyTheProvidersThatAreNamedAreAsked() throws IOException {
        Path other = folder.resolve("other.csv");
        assertThat(run("azure", "--from", Synthetic.FOLDER.toString(), "--date", "2026-11-12", "--to", "" + other))
                .isZero();
        assertThat(table).hasSameTextualContentAs(RESOURCES.resolve("before.csv"));
        assertThat(Files.readAllLines(other))
                .anyMatch(line -> line.startsWith("azure,Standard_ND96isr_MI300X_v5,eastus2,mi300x,8,"))
                .noneMatch(line -> line.contains("AWS Price List bulk API"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"aws-us-west-2.json", "azure-eastus-1.json", "gcp-2.json"})
    void nothingIsWrittenWhereAFileWasCut(String damaged) throws IOException {
        Path answers = copyAnswers();
        byte[] whole = Files.readAllBytes(answers.resolve(damaged));
        Files.write(answers.resolve(damaged), Arrays.copyOf(whole, whole.length / 2));
        assertThat(run("--from", answers.toString(), "--date", "2026-11-12")).isEqualTo(1);
        assertNothingWasWritten(damaged.substring(0, damaged.indexOf('-')) + ": ");
    }

    @Test
    void nothingIsWrittenWhereAFileIsMissing() throws IOException {
        Path answers = copyAnswers();
        Files.delete(answers.resolve("aws-us-west-2.json"));
        assertThat(run("--from", answers.toString(), "--date", "2026-11-12")).isEqualTo(1);
        assertNothingWasWritten("file '" + answers.resolve("aws-us-west-2.json") + "' not found");
    }

    @Test
    void aFolderThatIsMissingIsNamed() {
        Path to = table.resolveSibling("missing").resolve("prices.csv");
        assertThat(run("--from", Synthetic.FOLDER.toString(), "--date", "2026-11-12", "--to", to.toString()))
                .isEqualTo(1);
        assertNothingWasWritten("'" + to + "' is not in a folder that can be written to");
    }

    @Test
    void nothingIsWrittenIntoATableOfAnotherForm() throws IOException {
        Files.writeString(table, "provider,instance\n");
        assertThat(run("--from", Synthetic.FOLDER.toString(), "--date", "2026-11-12"))
                .isEqualTo(1);
        assertThat(said()).contains("nothing was written: the table has to have the columns provider,instance,region,");
        assertThat(table).hasContent("provider,instance\n");
    }

    @Test
    void wrongWordsAreUsageErrors() {
        assertThat(run("oracle")).isEqualTo(64);
        assertThat(run("--from", "here")).isEqualTo(64);
        assertThat(run("--from", "here", "--date", "soon")).isEqualTo(64);
        assertThat(said())
                .contains("'oracle' is neither aws, azure nor gcp")
                .contains("come together")
                .contains("'soon' is not a day");
    }

    private void assertNothingWasWritten(String why) {
        assertThat(said().lines()).singleElement().asString().startsWith("update-prices: nothing was written: " + why);
        assertThat(table).hasSameTextualContentAs(RESOURCES.resolve("before.csv"));
    }

    private Path copyAnswers() throws IOException {
        Path answers = Files.createDirectory(folder.resolve("answers"));
        for (String name : List.of(
                "aws-us-east-1.json",
                "aws-us-west-2.json",
                "azure-eastus-1.json",
                "azure-eastus-2.json",
                "azure-eastus2-1.json",
                "gcp-1.json",
                "gcp-2.json")) {
            Files.copy(Synthetic.FOLDER.resolve(name), answers.resolve(name));
        }
        return answers;
    }
}
