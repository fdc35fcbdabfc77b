// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.testing.picture.SvgTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.w3c.dom.Document;

class PlanPictureOptionTest {
    static final List<Drawn> DRAWN = List.of(
            new Drawn("plan-svg-shared", "plan llama-3.1-70b --quant fp8 --synthetic [h100-sxm:8,nvswitch]"),
            new Drawn("plan-svg-experts", "plan qwen3-30b-a3b --concurrency 256 --synthetic [h200-sxm:4,nvswitch]"),
            new Drawn("plan-svg-copies", "plan llama-3.1-8b --concurrency 512 --synthetic [b200-sxm:72,nvswitch]"),
            new Drawn("plan-svg-idle", "plan qwen3-32b --quant q4_k_m --engine llama.cpp --synthetic rtx-4090:2"),
            new Drawn(
                    "plan-svg-unlike",
                    "plan gpt-oss-120b --quant mxfp4_moe --engine llama.cpp --offload --host-bandwidth 60"
                            + " --synthetic [rtx-4090,rtx-3060-12,cpu:96GiB]"),
            new Drawn("plan-svg-does-not-fit", "plan llama-3.1-405b --concurrency 4 --synthetic l4:2"),
            new Drawn("train-svg-adapters", "train llama-3.1-8b --method lora --synthetic [h200-sxm:2,nvswitch]"),
            new Drawn(
                    "train-svg-stages",
                    "train llama-3.1-70b --goal devices --hosts 4 --synthetic [h100-sxm:8,nvswitch]"),
            new Drawn(
                    "train-svg-cluster",
                    "train deepseek-v3 --batch 4096 --precision fp8 --hosts 128"
                            + " --synthetic [h100-sxm:8,nvswitch,ib:8x400]"),
            new Drawn("train-svg-does-not-fit", "train llama-3.1-70b --synthetic l4:2"));

    private static final String SMALL = "plan llama-3.1-8b --synthetic l40s:2";

    private final MusterRun pipe = MusterRun.inPipe();

    /// A command line and the file that has its picture.
    record Drawn(String golden, String words) {}

    @ParameterizedTest
    @FieldSource("DRAWN")
    void thePictureStaysAsItWasLookedAt(Drawn drawn) {
        String picture = run(drawn.words() + " --svg -").out();

        Golden.assertMatches(drawn.golden(), picture);
        SvgTexts.assertFits(picture);
        Document document = SvgTexts.parse(picture);
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(picture).doesNotContain("href", "NaN", "Infinity");
    }

    @Test
    void theRooflineSaysPrefillAndDecodeAndItsAxesCarryUnits() {
        assertThat(run(SMALL + " --svg -").out()).contains(">decode</text>", ">prefill</text>", "TFLOP/s</text>");
    }

    @Test
    void theAnswerIsPrintedBesideThePicture(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("plan.svg");
        for (String words : List.of(SMALL, SMALL + " --json", "train llama-3.2-1b --batch 8 --synthetic l40s:2")) {
            Outcome alone = run(words);
            Outcome both = run(words + " --svg " + file);

            assertThat(both)
                    .isEqualTo(new Outcome(alone.code(), alone.out(), alone.err() + "muster: wrote " + file + "\n"));
            assertThat(Files.readString(file)).startsWith("<?xml").endsWith("</svg>\n");
        }
    }

    @Test
    void whatDoesNotFitIsDrawnAndTheExitCodeSaysNo() {
        Outcome outcome = run("plan llama-3.1-405b --concurrency 4 --synthetic l4:2 --svg -");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("It does not fit.").doesNotContain("Roofline");
    }

    @Test
    void aDocumentAndAPictureDoNotShareStandardOutput() {
        assertThat(run(SMALL + " --json --svg -"))
                .isEqualTo(new Outcome(
                        ExitCode.USAGE,
                        "",
                        "muster: --svg - writes the picture to stdout; remove --output, or name a file; see "
                                + "'muster help plan'\n"));
    }

    @Test
    void rulesHaveNoPicture() {
        for (String words : List.of("plan 7B --rules --svg x.svg", "train 7B --rules --svg x.svg")) {
            assertThat(run(words).err())
                    .isEqualTo("muster: --svg does not apply: ai-hwaccel's --rules compute memory only;"
                            + " see 'muster help " + words.split(" ", 2)[0] + "'\n");
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsOneSentence(@TempDir Path folder) {
        Outcome outcome = run(SMALL + " --svg " + folder.resolve("no/plan.svg"));

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err())
                .startsWith("muster: cannot write the picture: ")
                .hasLineCount(1);
    }

    private Outcome run(String words) {
        return pipe.run(List.of(words.split(" ")));
    }
}
