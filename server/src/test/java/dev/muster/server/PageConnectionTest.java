// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page's own script, by an engine for JavaScript, with a browser around it that the test plays.
class PageConnectionTest {
    private static final String BROWSER = """
            let now = 0;
            Date.now = () => now;
            globalThis.document = {hidden: false, addEventListener() {}};
            globalThis.addEventListener = () => {};
            let everySecond;
            globalThis.setInterval = work => { everySecond = work; };
            globalThis.setTimeout = () => {};
            globalThis.EventSource = class {
              static CLOSED = 2;
              constructor() { globalThis.stream = this; this.on = {}; this.readyState = 1; }
              addEventListener(name, work) { this.on[name] = work; }
              close() {}
            };
            let status = 200, body = {devices: []};
            globalThis.fetch = async () => ({
              ok: status === 200, status, headers: new Headers({"Content-Type": "application/json"}), json: async () => body,
            });
            const {connect, current} = await import("./data.mjs");
            const answered = () => new Promise(setImmediate);
            const sample = at => { now = at; stream.on.sample({data: JSON.stringify({at: "t", devices: []})}); };
            const say = at => { now = at; everySecond(); console.log(current().state); };
            connect();
            await answered();
            """;

    @TempDir
    private Path folder;

    @Test
    @Needs(programs = "node")
    void aServerThatHangsIsNotLive() throws Exception {
        assertThat(states("""
                sample(1000); sample(3000); say(6000); say(7600); say(10000); sample(10500); say(11000);
                """)).containsExactly("live", "no sample for 5 s", "no sample for 7 s", "live");
    }

    @Test
    @Needs(programs = "node")
    void longIntervalsBetweenSamplesAreNoSilence() throws Exception {
        assertThat(states("sample(1000); say(21000); sample(31000); say(81000); say(96000);"))
                .containsExactly("live", "live", "no sample for 65 s");
    }

    @Test
    @Needs(programs = "node")
    void aRefusedTokenIsExplainedInTheWordsOfTheServer() throws Exception {
        assertThat(states("""
                status = 401; body = {message: "the token is not right"};
                stream.readyState = 2; stream.on.error(); await answered(); say(1000);
                """)).containsExactly("the token is not right");
    }

    @Test
    @Needs(programs = "node")
    void aLostConnectionIsTriedAgain() throws Exception {
        assertThat(states("stream.readyState = 0; stream.on.error(); say(1000); sample(2000); say(2000);"))
                .containsExactly("connection lost, retrying", "live");
    }

    private List<String> states(String script) throws IOException, InterruptedException {
        Files.copy(Path.of("src/main/resources/dev/muster/server/page/data.js"), folder.resolve("data.mjs"));
        Path run = Files.writeString(folder.resolve("run.mjs"), BROWSER + script);
        Program.Result result = Program.run(List.of("node", run.toString()));
        assertThat(result.code()).as(result.output()).isZero();
        return result.output().lines().toList();
    }
}
