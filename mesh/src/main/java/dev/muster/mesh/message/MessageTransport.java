// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.message;

import dev.muster.mesh.collective.GroupCall;
import java.lang.foreign.MemorySegment;

/// Moves messages between this member and others, all at once, until each has moved, a member is lost or
/// the time of the call has run out. Messages between the same two members arrive in the order in which
/// they were added. Confined to the thread whose call it is.
public interface MessageTransport {
    /// Begins a call.
    void begin(GroupCall call);

    /// Adds a message to those of the next [#move(Call)]; it may start to move at once.
    void send(int peer, MemorySegment segment, long offset, long bytes);

    /// Adds a message to those of the next [#move(Call)]; it may start to move at once.
    void receive(int peer, MemorySegment segment, long offset, long bytes);

    /// Moves all messages that were added.
    void move(GroupCall call);
}
