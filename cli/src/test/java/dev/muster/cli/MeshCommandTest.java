// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeshCommandTest {
    private static final String TWO_HOSTS = "2x[h100-sxm:4 nvswitch]";

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void ranksAndGroupsNeedNoDevices() {
        Outcome outcome = pipe.run("mesh", "plan", "tp=2,pp=2,dp=2");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).contains("no accelerator found, so ranks have no devices");
        Golden.assertMatches("mesh-plan", outcome.out());
    }

    @Test
    void ranksOfSeveralHostsAreDealtOutByWhoTalksMost() {
        Outcome outcome =
                pipe.run("mesh", "plan", "dp=2,tp=2,pp=2", "--groups", "tp,dp,tp-pp", "--synthetic", TWO_HOSTS);
        assertThat(outcome.code()).isZero();
        Golden.assertMatches("mesh-plan-two-hosts", outcome.out());
    }

    @Test
    void longListsAreCutWithACount() {
        Outcome outcome = pipe.run("mesh", "plan", "tp=8,cp=1,dp=32", "--synthetic", "h100-sxm:8", "--hosts", "32");
        assertThat(outcome.code()).isZero();
        Golden.assertMatches("mesh-plan-large", outcome.out());
    }

    @Test
    void nothingIsWiderThanTheTerminal() {
        String text = MusterRun.onTerminal(60)
                .run("mesh", "plan", "tp=16,dp=2", "--synthetic", "4x[h100-sxm:8 nvswitch]")
                .out();
        Golden.assertMatches("mesh-plan-60-columns", text);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
    }

    @Test
    void devicesWithoutARankAreNamedWhereTheyMayBe() {
        Outcome outcome =
                pipe.run("mesh", "plan", "tp=4,dp=2", "--synthetic", "2x[h100-sxm:6 nvswitch]", "--allow-surplus");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("4 devices idle: host0/cuda:4, host0/cuda:5, host1/cuda:4, host1/cuda:5.")
                .doesNotContain("Warning");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tp=16  | [h100-sxm:8]   | requires 16 devices, got 8",
                "tp=4   | [h100-sxm:8]   | fills 4 of 8 devices",
                "tp=8   | 2x[h100-sxm:4] | 1 of 1 groups along tp cross hosts"
            })
    void aMeshThatDoesNotFitIsShownWithTheReason(String mesh, String hosts, String reason) {
        Outcome outcome = pipe.run("mesh", "plan", mesh, "--synthetic", hosts, "--no-crossing");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("tp_0", "No placement: ", reason);
        assertThat(outcome.err()).contains("the mesh does not fit 8 devices");
    }

    @Test
    void onlyTheDevicesThatAreNamedAreUsed() {
        assertThat(pipe.run("mesh", "plan", "tp=2", "--registry", MusterRun.HGX, "--devices", "cuda:3,cuda:5")
                        .out())
                .contains("cuda:3", "cuda:5")
                .doesNotContain("cuda:0");
        assertThat(pipe.run("mesh", "plan", "tp=2", "--registry", MusterRun.HGX, "--devices", "rocm:0")
                        .err())
                .contains("--devices: no device matches 'rocm:0'");
    }

    // A GPU that is divided is used through its partitions, and unlike devices make no mesh.
    @Test
    void aDividedDeviceIsItsPartitions() {
        Outcome outcome = pipe.run("mesh", "plan", "dp=2", "--registry", MusterRun.OWN);
        assertThat(outcome.err()).contains("1 device of another kind left out: Intel NPU");
        Golden.assertMatches("mesh-plan-partitions", outcome.out());
    }

    @Test
    void theMeshOfASavedPlanIsItsMesh(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file,
                pipe.run("train", "llama-3.1-8b", "--json", "--synthetic", "[h100-sxm:8 nvswitch cpu:1TiB]")
                        .out());
        JsonValue axes = JsonValue.parse(Files.readString(file))
                .find("plan")
                .flatMap(plan -> plan.find("mesh"))
                .orElseThrow();
        List<String> order = new ArrayList<>();
        ((JsonArray) axes).items().forEach(axis -> order.addFirst(text(axis, "axis")));
        JsonValue mesh = JsonValue.parse(
                pipe.run("mesh", "plan", file.toString(), "--json").out());
        assertThat(text(mesh, "order")).isEqualTo(String.join("-", order));
        assertThat(mesh.find("worldSize")).contains(JsonValue.JsonNumber.of(8L));
    }

    private static String text(JsonValue document, String name) {
        return ((JsonString) document.find(name).orElseThrow()).value();
    }

    @Test
    void aFileThatIsNoPlanIsRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("x.json");
        Files.writeString(file, "{}");
        assertThat(pipe.run("mesh", "plan", file.toString()).err())
                .contains("is not a plan", "write a mesh as sizes, such as tp=2,pp=2,dp=2");
        Files.writeString(file, "{\"kind\":\"serving-plan\",\"plan\":{\"mesh\":[{\"axis\":\"tp\",\"size\":0}]}}");
        assertThat(pipe.run("mesh", "plan", file.toString()).err()).contains("a size of at least 1, not 0");
        for (String axes : List.of("[1]", "[]", "{}", "[{\"axis\":\"tp\",\"size\":99999999999999999999}]")) {
            Files.writeString(file, "{\"kind\":\"serving-plan\",\"plan\":{\"mesh\":" + axes + "}}");
            assertThat(pipe.run("mesh", "plan", file.toString()).err()).contains("without mesh axes");
        }
    }

    @Test
    void theAnswerIsADocumentToo() {
        String[] words = {"mesh", "plan", "tp=2,dp=4", "--synthetic", TWO_HOSTS, "--json"};
        Golden.assertMatches(
                "mesh-plan-json", JsonValue.parse(pipe.run(words).out()).toIndentedText());
    }

    @Test
    void aHugeMeshIsToldByItsSizes() {
        JsonValue document = JsonValue.parse(
                pipe.run("mesh", "plan", "tp=8,pp=125,dp=1000", "--json").out());
        assertThat(document.find("groupsListed")).contains(new JsonValue.JsonBoolean(false));
        assertThat(document.find("groups")).isEmpty();
        assertThat(pipe.run("mesh", "plan", "tp=8,pp=125,dp=1000").out())
                .contains("1000000 ranks", "124992 more", "dp_0   0,1000,2000");
    }

    @Test
    void thePictureShowsLinksAndColoursAndIsAsWideAsWhatStandsOnIt() {
        String[] words = {"mesh", "plan", "tp=2,dp=2", "--synthetic", "2x[h100-sxm:2 nvswitch]", "--svg", "-"};
        String picture = pipe.run(words).out();
        assertThat(picture).contains("link-fabric", "link-network", "rank-0", "rank-1");
        Matcher width = Pattern.compile("<svg[^>]* width=\"([0-9.]+)\"").matcher(picture);
        assertThat(width.find()).isTrue();
        assertThat(Double.parseDouble(width.group(1))).isBetween(300.0, 700.0);
    }

    @ParameterizedTest
    @CsvSource({"mesh-plan-svg, " + TWO_HOSTS, "mesh-plan-svg-without-devices, ''"})
    void thePictureIsWellFormed(String golden, String hosts) throws Exception {
        String[] ranks = {"mesh", "plan", "tp=2,pp=2,dp=2", "--svg", "-"};
        String[] placed = {"mesh", "plan", "tp=2,pp=2,dp=2", "--svg", "-", "--synthetic", hosts};
        String picture = pipe.run(hosts.isEmpty() ? ranks : placed).out();
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(picture.getBytes(StandardCharsets.UTF_8)));
        Golden.assertMatches(golden, picture);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "mesh                                 | mesh needs a subcommand: plan",
                "mesh paln                            | did you mean plan?",
                "mesh plan                            | give a mesh such as",
                "mesh plan tp=2 dp=2                  | unexpected argument 'dp=2'",
                "mesh plan tp=0                       | at least 1, not 0",
                "mesh plan tp                         | 'tp' is not a dimension",
                "mesh plan tp=2,tp=2                  | tp appears twice",
                "mesh plan tp=2 --order pp            | leaves out tp",
                "mesh plan tp=2 --order tp-pp         | no dimension 'pp'",
                "mesh plan tp=2 --groups tp,dp        | no dimension 'dp'",
                "mesh plan tp=2 --devices ,           | empty item",
                "mesh plan tp=2 --svg - --json        | --svg - writes the picture to stdout",
                "mesh plan tp=2 --groop tp            | unknown option --groop"
            })
    void badInputIsRefusedInOneSentence(String line, String reason) {
        Outcome outcome = pipe.run(line.split(" "));
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains(reason);
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mesh plan --help", "help mesh plan"})
    void helpExplainsOneWord(String line) {
        assertThat(pipe.run(line.split(" ")).out())
                .startsWith("muster mesh plan: ")
                .contains("muster mesh plan [OPTIONS] MESH|FILE");
    }
}
