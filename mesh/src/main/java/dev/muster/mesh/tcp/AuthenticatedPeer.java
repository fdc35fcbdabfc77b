// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.secure.FrameTags;
import dev.muster.mesh.secure.TlsRecords;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/// Another member that has proven who it is.
///
/// @param rank within the group
/// @param channel to it
/// @param records in which its bytes come, where the connection is encrypted
/// @param sent tags of what it gets
/// @param received tags of what it sends
record AuthenticatedPeer(
        int rank, SocketChannel channel, Optional<TlsRecords> records, FrameTags sent, FrameTags received) {
    /// From now on this connection is not waited for.
    void unblock() throws IOException {
        channel.socket().setSoTimeout(0);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.configureBlocking(false);
    }

    ByteStream line() {
        return records.<ByteStream>map(encrypted -> new ByteStream.Encrypted(channel, encrypted))
                .orElseGet(() -> new ByteStream.Open(channel));
    }
}
