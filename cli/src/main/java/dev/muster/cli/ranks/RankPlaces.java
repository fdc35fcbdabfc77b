// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ranks;

import dev.muster.mesh.start.ForeignLauncher;
import dev.muster.mesh.start.Launch;
import dev.muster.mesh.start.Launch.LaunchRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The launcher of ranks, and their hosts. Immutable. Immutable.
///
/// @param launcher lets them start; null if this program does
/// @param address address of the rendezvous store for ranks of other hosts; null for the launch's choice
/// @param hosts the host of each rank; empty if all are on this one, or the launcher chooses
/// @param ssh leads to the hosts
public record RankPlaces(
        @Nullable ForeignLauncher launcher, @Nullable InetAddress address, List<String> hosts, List<String> ssh) {
    /// All on this host.
    public static final RankPlaces HERE = new RankPlaces(null, null, List.of(), List.of("ssh"));

    /// Copies the lists.
    public RankPlaces {
        hosts = List.copyOf(hosts);
        ssh = List.copyOf(ssh);
    }

    /// Returns a copy with a launcher, unless one is given.
    RankPlaces orBy(ForeignLauncher usual) {
        return launcher == null && hosts.isEmpty() ? new RankPlaces(usual, address, hosts, ssh) : this;
    }

    public Launch start(LaunchRequest request) throws IOException {
        LaunchRequest placed = request.withHosts(hosts, ssh);
        LaunchRequest reachable = address == null ? placed : placed.withAddress(address);
        return launcher == null ? Launch.start(reachable) : Launch.startBy(launcher, reachable);
    }

    /// Returns the program that is run first, for messages.
    ///
    /// @param command that of the ranks
    public String program(List<String> command) {
        if (launcher != null) {
            return launcher.words().getFirst();
        }
        return (hosts.isEmpty() ? command : ssh).getFirst();
    }
}
