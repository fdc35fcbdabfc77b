// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ranks;

import dev.muster.mesh.start.ForeignLauncher;
import dev.muster.mesh.start.Launch;
import dev.muster.mesh.start.Launch.LaunchRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who starts ranks, and where. Immutable.
///
/// @param launcher lets them start; null where this program does
/// @param address where ranks of other hosts reach the rendezvous store; null for what the launch chooses
/// @param hosts the host of each rank; empty where all are on this one, or the launcher chooses
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

    /// The same by a launcher, unless somebody is named to start them.
    RankPlaces orBy(ForeignLauncher usual) {
        return launcher == null && hosts.isEmpty() ? new RankPlaces(usual, address, hosts, ssh) : this;
    }

    /// Starts ranks there.
    public Launch start(LaunchRequest request) throws IOException {
        LaunchRequest placed = request.withHosts(hosts, ssh);
        LaunchRequest reachable = address == null ? placed : placed.withAddress(address);
        return launcher == null ? Launch.start(reachable) : Launch.startBy(launcher, reachable);
    }

    /// The program that is run first, for messages.
    ///
    /// @param command that of the ranks
    public String program(List<String> command) {
        if (launcher != null) {
            return launcher.words().getFirst();
        }
        return (hosts.isEmpty() ? command : ssh).getFirst();
    }
}
