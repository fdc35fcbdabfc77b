// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// One call of a process group on one rank, for recordings of the JDK's Flight Recorder.
@Name("dev.muster.Collective")
@Label("Collective")
@Description("A collective operation as one rank saw it, waiting for others included")
@Category({"Muster", "Mesh"})
@StackTrace(false)
final class CollectiveEvent extends Event {
    @Label("Group")
    String group = "";

    @Label("Operation")
    String operation = "";

    @Label("Rank")
    @Description("Rank in the group")
    int rank;

    @Label("Ranks")
    @Description("Ranks of the group")
    int size;

    @Label("Sequence")
    @Description("Number of the call in its group, the same on all ranks")
    long sequence;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Failed")
    boolean failed;

    /// Ends the event and hands it over, where such events are recorded.
    void commit(GroupIdentity identity, GroupCall call, boolean hasFailed) {
        end();
        if (shouldCommit()) {
            group = identity.name();
            operation = call.operation().name();
            rank = identity.rank();
            size = identity.size();
            sequence = call.sequence();
            bytes = call.input().byteSize();
            failed = hasFailed;
            commit();
        }
    }
}
