// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.detect.host.Host;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `ssh:HOSTS` asks hosts by the system's ssh.
public final class SshProvider implements FleetSourceProvider {
    private static final SourceOption CONFIG =
            new SourceOption("ssh-config", "FILE", "configuration of ssh (default: ~/.ssh/config)");

    @Override
    public String scheme() {
        return "ssh";
    }

    @Override
    public String usage() {
        return "ssh:HOSTS";
    }

    @Override
    public List<SourceOption> options() {
        return List.of(CONFIG);
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        Host host = context.host();
        List<String> options = new ArrayList<>();
        context.option(CONFIG)
                .map(file -> Path.of(file).toAbsolutePath().toString())
                .ifPresent(file -> options.addAll(List.of("-F", file)));
        // Programs get no variables, so ssh needs the agent's socket as an option.
        String agent = context.variable("SSH_AUTH_SOCK");
        if (agent.startsWith("/") && !agent.contains("%") && !agent.contains("$") && !agent.contains(" ")) {
            options.addAll(List.of("-o", "IdentityAgent=" + agent));
        }
        return SshSource.of(text, options, host.commands(), host.clock(), context.log());
    }
}
