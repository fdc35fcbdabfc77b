// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.items;
import static dev.muster.fleet.json.JsonFields.plain;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.Tool;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.kubernetes.ClusterAccess.Credential;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runs the program that a kubeconfig names for credentials, and reads its ExecCredential. Commands of a host
/// get no environment, so its variables are set by `env`, which starts the program.
record ExecPlugin(HostCommands commands, Map<String, String> variables, URI server) {
    private static final CommandLimits LIMITS = new CommandLimits(Duration.ofSeconds(30), 1 << 20);
    private static final Tool ENV = Tool.of("env");
    private static final String DEFAULT_VERSION = "client.authentication.k8s.io/v1";

    /// @param exec the member `exec` of a user
    /// @param folder the kubeconfig's folder
    /// @param path the kubeconfig, for messages
    /// @throws FleetException if the program gives no credentials
    Credential run(JsonValue exec, String folder, String path) {
        String command = text(exec, "command");
        Tool tool = tool(command, folder);
        String file = commands.findPath(tool)
                .orElseThrow(() -> new FleetException("kubeconfig " + path + " wants to run " + command
                        + ", which is not installed where packages put programs; give its full path there"));
        commands.findObjection(tool).ifPresent(objection -> {
            throw new FleetException("kubeconfig " + path + ": " + objection + ", so it is not run");
        });
        List<String> words = new ArrayList<>();
        environment(exec).forEach((name, value) -> words.add(name + "=" + value));
        words.add(file);
        items(exec, "args").forEach(word -> words.add(plain(word)));
        CommandOutcome outcome = commands.run(ENV, words, LIMITS);
        return switch (outcome) {
            case CommandOutcome.Completed done when done.exitCode() == 0 -> credential(done.output(), command);
            case CommandOutcome.Completed done ->
                throw new FleetException(command + " gave no credentials: it ended with " + done.exitCode() + ", "
                        + done.error().lines().findFirst().orElse("without a word"));
            case CommandOutcome.Expired _ ->
                throw new FleetException(command + " gave no credentials within "
                        + LIMITS.time().toSeconds() + " s; it must not ask questions");
            case CommandOutcome.NotFound _ -> throw new FleetException("program env not found; it runs " + command);
            case CommandOutcome.NotRun(String reason) -> throw new FleetException(command + ": " + reason);
            case CommandOutcome.Failed(String message) -> throw new FleetException(command + ": " + message);
        };
    }

    private static Tool tool(String command, String folder) {
        Path path = Path.of(command);
        Path name = path.getFileName();
        if (name == null) {
            throw new FleetException("'" + command + "' is not a program");
        }
        // A bare name is looked for where packages put programs; one with a folder is taken from there alone.
        Path own = path.getParent() == null
                ? null
                : Path.of(folder).resolve(path).normalize().getParent();
        return own == null ? Tool.of(name.toString()) : new Tool(name.toString(), List.of(own.toString()));
    }

    private Map<String, String> environment(JsonValue exec) {
        Map<String, String> all = new LinkedHashMap<>(variables);
        for (JsonValue variable : items(exec, "env")) {
            all.put(text(variable, "name"), text(variable, "value"));
        }
        String version = text(exec, "apiVersion");
        all.put(
                "KUBERNETES_EXEC_INFO",
                JsonObject.builder()
                        .put("kind", "ExecCredential")
                        .put("apiVersion", version.isEmpty() ? DEFAULT_VERSION : version)
                        .put(
                                "spec",
                                JsonObject.builder()
                                        .put("interactive", false)
                                        .put(
                                                "cluster",
                                                JsonObject.builder()
                                                        .put("server", server.toString())
                                                        .build())
                                        .build())
                        .build()
                        .toText());
        all.keySet().removeIf(name -> name.isBlank() || name.indexOf('=') >= 0 || name.startsWith("-"));
        return all;
    }

    private static Credential credential(String output, String command) {
        JsonValue answer;
        try {
            answer = JsonValue.parse(output);
        } catch (DocumentException e) {
            throw new FleetException(command + " printed no ExecCredential: " + e.getMessage(), e);
        }
        Credential credential = new Credential(
                text(answer, "status", "token"),
                text(answer, "status", "clientCertificateData"),
                text(answer, "status", "clientKeyData"));
        if (credential.token().isBlank() && credential.certificate().isBlank()) {
            throw new FleetException(command + " printed an ExecCredential without token and certificate");
        }
        return credential;
    }
}
