// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.detect.host.Host;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import java.net.URI;
import java.util.List;

/// `slurm` runs the commands of this machine, `slurm:URL` asks a slurmrestd.
public final class SlurmProvider implements FleetSourceProvider {
    @Override
    public String scheme() {
        return "slurm";
    }

    @Override
    public String usage() {
        return "slurm[:URL]";
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        Host host = context.host();
        if (text.isBlank()) {
            return SlurmSource.ofCommands(host.commands(), host.clock(), context.variable("SLURM_CONF"));
        }
        URI server = URI.create(text);
        if (server.getHost() == null
                || !List.of("http", "https").contains(server.getScheme())
                || server.getRawQuery() != null
                || server.getRawFragment() != null) {
            throw new IllegalArgumentException("the address of a slurmrestd is written as https://HOST:6820");
        }
        return SlurmSource.ofServer(server, context.variable("USER"), context.variable("SLURM_JWT"), host.clock());
    }
}
