package dev.muster.mesh.engine;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import java.lang.foreign.MemorySegment;

/// Messages of a member to itself, which no engine needs to move.
public final class OwnMessages {
    private OwnMessages() {}

    /// Delivers a message to the next of those that the member awaits of itself.
    ///
    /// @param from the first message of the call that may be the one
    /// @return the first that may be that of the next message
    /// @throws GroupException `disagreement` if it awaits none of that length
    public static int deliver(GroupIdentity group, Call call, Transfer sent, int from) {
        int own = group.rank();
        for (int i = from; i < call.transferCount(); i++) {
            Transfer awaited = call.transfer(i);
            if (awaited.peer() == own && !awaited.sends() && awaited.bytes() == sent.bytes()) {
                MemorySegment.copy(
                        sent.segment(), sent.position(), awaited.segment(), awaited.position(), sent.bytes());
                return i + 1;
            }
        }
        throw new GroupException(
                Code.DISAGREEMENT,
                group.where(call) + ": rank " + group.worldRank(own) + " sends itself " + sent.bytes()
                        + " bytes that it does not await");
    }
}
