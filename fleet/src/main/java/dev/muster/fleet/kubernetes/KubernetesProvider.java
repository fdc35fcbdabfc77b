// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `kubernetes` and `kubernetes:CONTEXT` ask an API server as `kubectl` does.
public final class KubernetesProvider implements FleetSourceProvider {
    private static final SourceOption ALLOW_EXEC =
            new SourceOption("allow-exec", "", "accept kubeconfigs that run a program for credentials");
    private static final SourceOption ALLOW_INSECURE =
            new SourceOption("allow-insecure", "", "accept kubeconfigs that skip TLS verification");
    /// Variables that credential programs need to find their files. None is a secret, since command lines show them.
    private static final List<String> PROGRAM_VARIABLES = List.of(
            "HOME",
            "USER",
            "XDG_CONFIG_HOME",
            "AWS_PROFILE",
            "AWS_REGION",
            "AWS_DEFAULT_REGION",
            "AWS_CONFIG_FILE",
            "AWS_SHARED_CREDENTIALS_FILE",
            "CLOUDSDK_CONFIG",
            "AZURE_CONFIG_DIR");

    @Override
    public String scheme() {
        return "kubernetes";
    }

    @Override
    public String usage() {
        return "kubernetes[:CONTEXT]";
    }

    @Override
    public List<SourceOption> options() {
        return List.of(ALLOW_EXEC, ALLOW_INSECURE);
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        KubernetesConfig config = config(text, context);
        if (context.option(ALLOW_EXEC).isPresent()) {
            Map<String, String> variables = new HashMap<>();
            for (String name : PROGRAM_VARIABLES) {
                String value = context.host().variables().get(name);
                if (value != null) {
                    variables.put(name, value);
                }
            }
            config = config.withExec(variables);
        }
        boolean isInsecure = context.option(ALLOW_INSECURE).isPresent();
        return KubernetesSource.of(isInsecure ? config.withInsecure() : config, context.host());
    }

    /// Looks in the order of kubectl. A missing kubeconfig is a missing source, not wrong text.
    private static KubernetesConfig config(String text, FleetSourceContext context) {
        String named = context.variable("KUBECONFIG");
        String separator = Path.of("").getFileSystem().getSeparator().equals("/") ? ":" : ";";
        if (named.contains(separator)) {
            throw new FleetException("kubernetes: KUBECONFIG names several files; set it to one of them");
        }
        if (!named.isBlank()) {
            return KubernetesConfig.ofKubeconfig(Path.of(named).toAbsolutePath().toString(), text);
        }
        String usual = context.variable("HOME") + "/.kube/config";
        if (context.host().files().exists(usual)) {
            return KubernetesConfig.ofKubeconfig(usual, text);
        }
        String server = context.variable("KUBERNETES_SERVICE_HOST");
        if (server.isBlank() || !text.isBlank()) {
            throw new FleetException("kubernetes: no kubeconfig at " + usual + "; set KUBECONFIG to its path");
        }
        String address = server.contains(":") ? "[" + server + "]" : server;
        String port = context.host().variables().getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        return KubernetesConfig.ofPod(URI.create("https://" + address + ":" + port));
    }
}
