// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import dev.muster.testing.picture.SvgTexts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.w3c.dom.Document;

class TopologyCommandTest {
    static final List<String> MACHINES =
            List.of(MusterRun.HGX, MusterRun.MI300X, MusterRun.LAPTOP, MusterRun.OWN, MusterRun.H100X8, MusterRun.FLAT);

    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void theMatrixUsesTheWordsThatPeopleKnow() {
        Golden.assertMatches(
                "topology-hgx",
                pipe.run("topology", "--registry", MusterRun.HGX).quietOutput());
    }

    @ParameterizedTest
    @CsvSource({"60", "80", "120"})
    void aMatrixThatIsTooWideIsSplitAndLosesNothing(int columns) {
        String matrix = MusterRun.onTerminal(columns)
                .run("topology", "--registry", MusterRun.HGX)
                .quietOutput();

        Golden.assertMatches("topology-hgx-" + columns + "-columns", matrix);
        assertThat(matrix.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        assertThat(matrix).contains("mlx5_7", "NUMA", "0000:db:00.0");
    }

    @Test
    void linksToSeveralSwitchesCountTogether() {
        assertThat(pipe.run("topology", "--registry", MusterRun.HGX).out())
                .contains("NV18")
                .doesNotContain("NV5");
    }

    @Test
    void otherFabricsHaveTheirOwnWord() {
        assertThat(pipe.run("topology", "--registry", MusterRun.MI300X).out())
                .contains("XGMI1", "XGMI# that many links of XGMI")
                .doesNotContain("NV1");
    }

    @Test
    void aMachineWithoutAcceleratorsHasNothingToRelate() {
        assertThat(pipe.run("topology").quietOutput()).isEqualTo("No accelerator or network card found.\n");
    }

    @Test
    void whatTheRegistryDoesNotSayIsNotKnown() {
        assertThat(pipe.run("topology", "--registry", MusterRun.H100X8).quietOutput())
                .contains("cuda:0  X       ?", "? not known")
                .doesNotContain("SYS", "NODE");
    }

    @Test
    void theMatrixIsADocumentToo() {
        JsonValue document = JsonValue.parse(
                pipe.run("topology", "--registry", MusterRun.HGX, "--json").quietOutput());

        assertThat(document.find("kind")).contains(new JsonValue.JsonString("topology"));
        Golden.assertMatches("topology-hgx-json", document.toIndentedText());
    }

    @Test
    void manyHostsAreSummarised() {
        String[] fleet = {"topology", "--synthetic", "126x[h100-sxm:8 nvswitch ib:8x400] 2x[l4:4]"};

        Golden.assertMatches(
                "topology-fleet", MusterRun.onTerminal(100).run(fleet).out());
    }

    @Test
    void theSummaryOfManyHostsIsADocumentThatDoesNotGrowWithThem() {
        String small = pipe.run("topology", "--json", "--synthetic", "20x[h100-sxm:8 nvswitch ib:8x400]")
                .out();
        String large = pipe.run("topology", "--json", "--synthetic", "200x[h100-sxm:8 nvswitch ib:8x400]")
                .out();

        assertThat(JsonValue.parse(large).find("groups")).isPresent();
        assertThat(JsonValue.parse(large).find("relations")).isEmpty();
        assertThat(large.length()).isLessThan(small.length() * 2);
    }

    @Test
    void oneOfSeveralHostsIsShownAlone() {
        String[] two = {"topology", "--synthetic", "2x[h100-sxm:8 nvswitch ib:8x400]", "--within"};
        MusterRun run = MusterRun.onTerminal(200);

        assertThat(run.run(two[0], two[1], two[2], two[3], "host1").out())
                .isEqualTo(run.run(two[0], two[1], two[2], two[3], "cuda:9").out())
                .contains("cuda:15", "ib15")
                .doesNotContain("cuda:7 ", "NET");
        Outcome outcome = pipe.run(two[0], two[1], two[2], two[3], "host2");
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("--within: unknown host or device 'host2'");
    }

    @Test
    void aPictureThatNobodyCanReadIsNotDrawn() {
        Outcome outcome = pipe.run("topology", "--svg", "-", "--synthetic", "512x[h100-sxm:8 nvswitch]");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).contains("a picture of 4608 devices would not be readable (at most 2048)");
    }

    @ParameterizedTest
    @CsvSource({"hgx", "laptop", "own", "mi300x", "memory"})
    void theTreeGoesFromTheHostToItsDevices(String name) {
        String file = fixture(name);

        Golden.assertMatches(
                "topology-tree-" + name,
                MusterRun.onTerminal(100)
                        .run("topology", "--tree", "--registry", file)
                        .quietOutput());
    }

    @Test
    void theTreeKeepsToAsciiWhereAskedFor() {
        String tree = pipe.run("topology", "--tree", "--ascii", "--registry", MusterRun.LAPTOP)
                .quietOutput();

        assertThat(tree).contains("|-- NUMA node 0", "`-- ").isASCII();
    }

    @ParameterizedTest
    @CsvSource({"hgx", "laptop", "own", "mi300x"})
    void thePictureStaysAsItWasLookedAt(String name) {
        String picture =
                pipe.run("topology", "--svg", "-", "--registry", fixture(name)).quietOutput();

        Golden.assertMatches("topology-svg-" + name, picture);
        SvgTexts.assertFits(picture);
    }

    @Test
    void twoHostsShowTheNetworkThatJoinsThem() {
        String picture = pipe.run("topology", "--svg", "-", "--synthetic", "2x[h100-sxm:8 nvswitch ib:8x400]")
                .out();

        Golden.assertMatches("topology-svg-two-hosts", picture);
        SvgTexts.assertFits(picture);
        assertThat(picture).contains("InfiniBand between hosts").containsPattern("(?s)8 x 50 GB/s.*8 x 50 GB/s");
        // Both NVSwitches at one height.
        assertThat(Pattern.compile("class=\"switch nvlink\" x=\"[^\"]*\" y=\"([^\"]*)\"")
                        .matcher(picture)
                        .results()
                        .map(found -> found.group(1))
                        .toList())
                .hasSize(2)
                .satisfies(heights -> assertThat(heights.getFirst()).isEqualTo(heights.getLast()));
    }

    @Test
    void unlikeSharesOfAFabricStayInsideTheFrame() {
        String registry = pipe.run("detect", "--json", "--synthetic", "[h100-sxm:2 nvswitch]")
                .out()
                .replaceFirst("\"lanes\":18,\"bandwidthBytesPerSecond\":450000000000", "\"lanes\":17");

        String picture = pipe.withStdin(registry)
                .run("topology", "--svg", "-", "--registry", "-")
                .quietOutput();

        assertThat(picture).contains(">17 links</text>", ">18 links</text>", ">450 GB/s</text>");
        SvgTexts.assertFits(picture);
    }

    @ParameterizedTest
    @FieldSource("MACHINES")
    void thePictureIsXmlWithEveryDeviceAndNoScript(String file) throws Exception {
        String picture = pipe.run("topology", "--svg", "-", "--registry", file).quietOutput();

        Document document = parse(picture);
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(picture).doesNotContain("href", "NaN", "Infinity");
        for (String id : pipe.run("detect", "--registry", file, "-o", "name")
                .out()
                .lines()
                .toList()) {
            boolean named = id.startsWith("cpu") || id.contains("/") || picture.contains(">" + id + "<");
            assertThat(named).as(id).isTrue();
        }
    }

    @Test
    void hostileNamesStayTextInThePicture() throws Exception {
        String registry = """
                {"schema":1,"kind":"registry","devices":[{"accelerator":"cuda","index":0,
                "deviceName":"<script>alert('1')</script>&\\u001b\\uffff\\"]]>"}]}
                """;
        String picture = pipe.withStdin(registry)
                .run("topology", "--svg", "-", "--registry", "-")
                .quietOutput();

        assertThat(parse(picture).getElementsByTagName("script").getLength()).isZero();
        assertThat(picture).contains("&lt;script&gt;").doesNotContain("\u001b", "\uffff");
    }

    @Test
    void thePictureIsWrittenToAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("box.svg");
        Outcome outcome = pipe.run("topology", "--svg", file.toString());

        assertThat(outcome).isEqualTo(new Outcome(0, "", "muster: wrote " + file + "\n"));
        assertThat(Files.readString(file)).startsWith("<?xml").endsWith("</svg>\n");
    }

    @Test
    void aFileThatCannotBeWrittenIsOneSentence(@TempDir Path folder) {
        Outcome outcome =
                pipe.run("topology", "--svg", folder.resolve("no/box.svg").toString());

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err())
                .startsWith("muster: cannot write the picture: ")
                .hasLineCount(1);
    }

    private static String fixture(String name) {
        return switch (name) {
            case "hgx" -> MusterRun.HGX;
            case "laptop" -> MusterRun.LAPTOP;
            case "mi300x" -> MusterRun.MI300X;
            case "memory" -> MusterRun.FURTHER_MEMORY;
            default -> MusterRun.OWN;
        };
    }

    private static Document parse(String picture) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(picture.getBytes(StandardCharsets.UTF_8)));
    }
}
