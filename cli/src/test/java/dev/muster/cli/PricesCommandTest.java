// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.option.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `muster prices` in a folder of files in SkyPilot's form.
class PricesCommandTest {
    private static final String HEADER =
            "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,GpuInfo\n";
    private static final String RUNPOD = HEADER + "1x_RTX4090,RTX4090,1.0,8.0,31.0,0.01,,EU,\n"
            + "cpu,,,8.0,31.0,0.1,,EU,\n"
            + "1x_M60,M60,1.0,8.0,31.0,0.2,,EU,\n";

    @TempDir
    private Path folder;

    private MusterRun pipe() {
        return MusterRun.inPipe()
                .withEnvironment("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    private Path write(String cloud, String text) throws IOException {
        Path file = folder.resolve("sky/catalogs/v8").resolve(cloud).resolve("vms.csv");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-11-01T12:00:00Z")));
        Files.createDirectories(folder.resolve("sky/catalogs/v7/runpod"));
        Files.writeString(folder.resolve("sky/catalogs/v7/runpod/vms.csv"), "of an older form");
        return file;
    }

    private static String[] list(String[] words, String last) {
        String[] all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = last;
        return all;
    }

    private Outcome update(String... more) {
        String[] words = new String[3 + more.length];
        words[0] = "prices";
        words[1] = "--update";
        words[2] = folder.resolve("sky").toString();
        System.arraycopy(more, 0, words, 3, more.length);
        return pipe().run(words);
    }

    @Test
    void anUpdateIsUsedFromThenOnWithItsDay() throws IOException {
        write("runpod", RUNPOD);
        write("common", "not a cloud");

        Outcome updated = update();

        assertThat(updated.code()).as(updated.err()).isEqualTo(ExitCode.OK);
        assertThat(updated.err())
                .contains("3 rows: 1 kept, 1 without accelerators, 1 of unknown devices")
                .contains("unknown devices: M60 (1)")
                .contains("folder 'common' is not read");
        assertThat(updated.out()).contains("runpod").contains("2026-11-01");
        Outcome cost = pipe().run("cost", "llama-3.1-8b", "--provider", "runpod", "--quant", "fp8", "--json");
        assertThat(cost.out()).contains("\"instance\":\"1x_RTX4090\"").contains("\"priceDate\":\"2026-11-01\"");
        assertThat(pipe().run("prices").out()).contains("aws").contains("runpod");
    }

    @Test
    void aFileOfPricesIsForTheOption() throws IOException {
        write("runpod", RUNPOD);
        String to = folder.resolve("prices.csv").toString();

        assertThat(update("--to", to, "--date", "2026-10-01").code()).isEqualTo(ExitCode.OK);

        assertThat(Files.readString(Path.of(to)))
                .contains(
                        "runpod,1x_RTX4090,EU,rtx-4090,1,24,8,31,none,0.01,,SkyPilot catalogue runpod/vms.csv,2026-10-01");
        assertThat(folder.resolve("cache")).doesNotExist();
        Outcome cost = pipe().run("cost", "llama-3.1-8b", "--quant", "fp8", "--json", "--prices", to);
        assertThat(cost.out()).contains("\"usdPerHour\":0.01").contains("2026-10-01");
    }

    @Test
    void hostileFilesAreRefusedAndNothingIsWritten() throws IOException {
        Path file = write("runpod", HEADER + "x,RTX4090,1,1,1,-1,,EU,\n");

        Outcome refused = update();

        assertThat(refused.code()).isEqualTo(ExitCode.NO);
        assertThat(refused.err())
                .contains(file.toString())
                .contains("line 2: column 'Price' must be a number from 0 to 1000000, not '-1'");
        assertThat(folder.resolve("cache/muster/prices.csv")).doesNotExist();

        write("runpod", HEADER + "1x_M60,M60,1.0,8.0,31.0,0.2,,EU,\n");
        assertThat(update().err()).contains("no price of a known device was found; nothing was written");
        assertThat(pipe().run("prices", "--update", folder.toString()).err()).contains("no catalogue found at");
        assertThat(pipe().run("prices", "--to", "x").code()).isEqualTo(ExitCode.USAGE);
        assertThat(update("--date", "today").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void anAddressIsAskedForEachCloud() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v8", exchange -> {
            boolean isThere = exchange.getRequestURI().getPath().equals("/v8/runpod/vms.csv");
            byte[] body = isThere ? RUNPOD.getBytes(StandardCharsets.UTF_8) : new byte[0];
            exchange.sendResponseHeaders(isThere ? 200 : 404, isThere ? body.length : -1);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String address = "http://localhost:" + server.getAddress().getPort() + "/v8/";
            Outcome updated = pipe().run("prices", "--update", address, "--date", "2026-11-02");
            assertThat(updated.code()).as(updated.err()).isEqualTo(ExitCode.OK);
            assertThat(updated.err()).contains("v8/aws/vms.csv not found").contains("1 kept");
            assertThat(updated.out()).contains("2026-11-02");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void ownMachinesStandBesideRentedOnes() throws IOException {
        write("runpod", RUNPOD);
        String prices = folder.resolve("prices.csv").toString();
        update("--to", prices);
        Path list = folder.resolve("machines.csv");
        Files.writeString(list, "name,machine,price_usd,years,watts\nattic,rtx-4090:1,2628,3,500\nbox,t4:1,,,\n");
        String[] words = {
            "cost",
            "llama-3.1-8b",
            "--quant",
            "fp8",
            "--prices",
            prices,
            "--machines",
            list.toString(),
            "--kwh",
            "0.40",
            "--pue",
            "1.5"
        };

        String text = pipe().run(words).out();

        // 2628 / (3 * 8760) + 0.5 kW * 1.5 * 0.40 = 0.10 + 0.30
        assertThat(text).contains("cheapest      1x_RTX4090 of RunPod, 0.01 USD an hour on demand");
        assertThat(text).containsPattern("attic +own +own .* 0\\.40 ");
        assertThat(pipe().run(list(words, "--json")).out()).contains("\"machine\":\"rtx-4090:1\"");
        Outcome wrong = pipe().run("cost", "llama-3.1-8b", "--own", "no-such:1");
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("no-such");
        assertThat(pipe().run("cost", "llama-3.1-8b", "--kwh", "0.3").err()).contains("--own");
    }
}
