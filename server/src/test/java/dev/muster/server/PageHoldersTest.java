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

/// The page's own scripts for fleets and addresses, by an engine for JavaScript.
class PageHoldersTest {
    @TempDir
    private Path folder;

    @Test
    @Needs(programs = "node")
    void usersWithIdleDevicesComeFirstAndUnknownLoadIsNotIdle() throws Exception {
        assertThat(run("holders", """
                const device = (id, load) => ({id, utilizationRatio: load, powerWatts: 100});
                const host = (name, claims, devices) => withTotals({name, claims, devices, domains: [], state: {kind: "ready"}});
                const hosts = [
                  host("a", [{holder: "job 1", user: "ada", count: 2, devices: ["cuda:0", "cuda:1"]}],
                    [device("cuda:0", 0.9), device("cuda:1", 0.8)]),
                  host("b", [{holder: "job 2", user: "bob", count: 1, devices: ["cuda:1"]}], [device("cuda:0", 1), device("cuda:1", 0)]),
                  host("c", [{holder: "job 3", user: "eve", count: 1}], [{id: "cuda:0"}])];
                for (const one of users(hosts)) {
                  console.log(one.name, one.devices, one.known ? one.idle : "unknown", one.load ?? "unknown");
                }
                console.log(hosts[0].power, hosts[2].power, hosts[2].load);
                """))
                .containsExactly(
                        "bob 1 1 0", "ada 2 0 0.8500000000000001", "eve 1 unknown unknown", "200 undefined undefined");
    }

    @Test
    @Needs(programs = "node")
    void choicesStandInTheAddress() throws Exception {
        assertThat(run("address", """
                globalThis.location = {hash: "#/fleet?sort=-load&filter=a%20b"};
                console.log(parts(location.hash).path, choice("filter"), choice("view", "grid"));
                console.log(address({view: "table", filter: ""}));
                console.log(parts("").path, parts("#/planner").choices.has("model"));
                """)).containsExactly("/fleet a b grid", "#/fleet?sort=-load&view=table", "/ false");
    }

    private List<String> run(String name, String script) throws IOException, InterruptedException {
        Files.copy(Path.of("src/main/resources/dev/muster/server/page/" + name + ".js"), folder.resolve(name + ".mjs"));
        Path run = Files.writeString(
                folder.resolve("run.mjs"),
                "const {address, choice, parts, users, withTotals} = await import(\"./" + name + ".mjs\");\n" + script);
        Program.Result result = Program.run(List.of("node", run.toString()));
        assertThat(result.code()).as(result.output()).isZero();
        return result.output().lines().toList();
    }
}
