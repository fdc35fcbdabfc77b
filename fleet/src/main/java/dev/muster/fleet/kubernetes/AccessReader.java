// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.isTrue;
import static dev.muster.fleet.json.JsonFields.items;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostFiles;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.kubernetes.ClusterAccess.Credential;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/// Finds out how a cluster is reached, from a kubeconfig or from the files of a pod. Everything is read anew
/// each time, since tokens are replaced while programs run.
final class AccessReader {
    private static final int MAX_KUBECONFIG_BYTES = YamlReader.MAX_CHARACTERS;
    private static final int MAX_SECRET_BYTES = 1 << 20;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

    private final KubernetesConfig config;
    private final HostFiles files;
    private final HostCommands commands;

    AccessReader(KubernetesConfig config, HostFiles files, HostCommands commands) {
        this.config = config;
        this.files = files;
        this.commands = commands;
    }

    /// @throws FleetException if the cluster cannot be accessed; the message names the reason
    ClusterAccess read() {
        return switch (config.access()) {
            case KubernetesConfig.Kubeconfig(String path, String context) -> kubeconfig(path, context);
            case KubernetesConfig.ServiceAccount(URI server, String folder) ->
                new ClusterAccess(
                        "pod",
                        checked(server, false),
                        file(folder + "/ca.crt"),
                        false,
                        "",
                        new Credential(file(folder + "/token").strip(), "", ""));
        };
    }

    private ClusterAccess kubeconfig(String path, String wanted) {
        JsonValue root;
        try {
            root = YamlReader.read(readable(path, MAX_KUBECONFIG_BYTES));
        } catch (YamlReader.YamlException e) {
            throw new FleetException("kubeconfig " + path + " is not YAML: " + e.getMessage());
        }
        String context = wanted.isBlank() ? text(root, "current-context") : wanted;
        if (context.isBlank()) {
            throw new FleetException("kubeconfig " + path + " has no current context; name one of "
                    + names(root, "contexts") + " (kubernetes:CONTEXT)");
        }
        JsonValue names = named(root, "contexts", "context", context, path);
        JsonValue cluster = named(root, "clusters", "cluster", text(names, "cluster"), path);
        String folder = Optional.ofNullable(Path.of(path).getParent())
                .map(Path::toString)
                .orElse("/");
        boolean unchecked = isTrue(cluster, "insecure-skip-tls-verify");
        if (unchecked && !config.allowInsecure()) {
            throw new FleetException("kubeconfig " + path + ": context " + context
                    + " says insecure-skip-tls-verify, so its identity is not verified; put the cluster's certificate-authority"
                    + " there, or accept it (option allow-insecure)");
        }
        if (!text(cluster, "tls-server-name").isBlank()) {
            throw new FleetException("kubeconfig " + path + ": context " + context
                    + " says tls-server-name, which is not supported; give the server by the name in its certificate");
        }
        String proxy = text(cluster, "proxy-url");
        if (!proxy.isBlank() && !proxy.startsWith("http://")) {
            throw new FleetException("kubeconfig " + path + ": proxy-url " + proxy + " is not supported; http:// is");
        }
        URI server = server(text(cluster, "server"), path);
        Credential credential = text(names, "user").isBlank()
                ? Credential.NONE
                : credential(named(root, "users", "user", text(names, "user"), path), folder, path, server);
        return new ClusterAccess(
                context,
                checked(server, !credential.token().isEmpty()),
                dataOrFile(cluster, "certificate-authority", folder, path),
                unchecked,
                proxy,
                credential);
    }

    private Credential credential(JsonValue user, String folder, String path, URI server) {
        String token = text(user, "token");
        if (!text(user, "tokenFile").isBlank()) {
            token = file(resolved(folder, text(user, "tokenFile"))).strip();
        }
        Credential own = new Credential(
                token,
                dataOrFile(user, "client-certificate", folder, path),
                dataOrFile(user, "client-key", folder, path));
        if (!token.isBlank() || !own.certificate().isBlank()) {
            return own;
        }
        if (user.find("exec").filter(JsonObject.class::isInstance).isPresent()) {
            String program = text(user, "exec", "command");
            if (!config.allowExec()) {
                throw new FleetException("kubeconfig " + path + " wants to run " + program
                        + " for credentials; programs are run only if that is accepted (option"
                        + " allow-exec)");
            }
            return new ExecPlugin(commands, config.programVariables(), server).run(user.require("exec"), folder, path);
        }
        if (user.find("auth-provider").isPresent()) {
            throw new FleetException("kubeconfig " + path + " has an auth-provider, which Kubernetes itself gave up in"
                    + " 1.26; use an exec plugin, a token or a client certificate");
        }
        if (!text(user, "username").isBlank()) {
            throw new FleetException(
                    "kubeconfig " + path + " has a user name and password, which Kubernetes itself gave"
                            + " up in 1.19; use a token or a client certificate");
        }
        return Credential.NONE;
    }

    private static JsonValue named(JsonValue root, String list, String member, String name, String path) {
        for (JsonValue item : items(root, list)) {
            if (text(item, "name").equals(name)) {
                return item.find(member).orElse(item);
            }
        }
        throw new FleetException(
                "kubeconfig " + path + " has no " + member + " '" + name + "'; it has " + names(root, list));
    }

    private static String names(JsonValue root, String list) {
        String names = String.join(
                ", ",
                items(root, list).stream()
                        .map(item -> text(item, "name"))
                        .limit(20)
                        .toList());
        return names.isEmpty() ? "none" : names;
    }

    private static URI server(String text, String path) {
        try {
            URI server = new URI(text);
            if (server.getHost() != null
                    && server.getScheme() != null
                    && Set.of("http", "https").contains(server.getScheme())) {
                return server;
            }
        } catch (URISyntaxException _) {
            // Reported below, like any other text that is not an address.
        }
        throw new FleetException("kubeconfig " + path + ": server '" + text + "' is not an https address");
    }

    /// A token is never sent where others can read it.
    private static URI checked(URI server, boolean hasToken) {
        if (hasToken && "http".equals(server.getScheme()) && !LOOPBACK.contains(server.getHost())) {
            throw new FleetException(
                    "server " + server + " is not asked: a token would go there without encryption;" + " use https");
        }
        return server;
    }

    private String dataOrFile(JsonValue from, String key, String folder, String path) {
        String data = text(from, key + "-data");
        if (!data.isBlank()) {
            try {
                return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw new FleetException("kubeconfig " + path + ": " + key + "-data is not Base64", e);
            }
        }
        String file = text(from, key);
        return file.isBlank() ? "" : file(resolved(folder, file));
    }

    private static String resolved(String folder, String file) {
        return Path.of(folder).resolve(file).normalize().toString();
    }

    private String file(String path) {
        return readable(path, MAX_SECRET_BYTES);
    }

    private String readable(String path, int maxBytes) {
        return switch (files.read(path, maxBytes)) {
            case HostAnswer.Found(String text) -> text;
            case HostAnswer.Missing<String> _ -> throw new FleetException("file " + path + " not found");
            case HostAnswer.NotPermitted<String> _ ->
                throw new FleetException("file " + path + " may not be read by you");
            case HostAnswer.Unreadable<String> unreadable ->
                throw new FleetException("file " + path + " cannot be read: " + unreadable.message());
        };
    }
}
