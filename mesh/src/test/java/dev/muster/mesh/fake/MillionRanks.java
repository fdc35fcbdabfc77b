// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.fake;

import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.MeshSpec.Wrap;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.StringJoiner;

/// Plays a rank of a mesh of a million and says what it saw, in a process of its own with little memory.
public final class MillionRanks {
    private MillionRanks() {}

    public static void main(String[] args) {
        DeviceMesh mesh = DeviceMesh.planned(MeshSpec.parse("tp=8,pp=10,dp=12500"));
        StringJoiner seen = new StringJoiner(" ");
        try (FakeSession session = FakeSession.of(mesh, 777_777);
                Arena arena = Arena.ofConfined()) {
            seen.add("ranks=" + session.worldSize())
                    .add("groups=" + session.mesh().groupCount());
            for (var group : session.mesh().ownGroups()) {
                ProcessGroup open = session.group(group.name());
                seen.add(group.name() + "=" + open.rank() + "/" + open.size());
            }
            seen.add("next=" + mesh.spec().findNext(777_777, "pp", Wrap.AROUND).orElseThrow());
            seen.add("member=" + session.mesh().isInGroup("dp_3") + ","
                    + session.mesh().isInGroup("dp_17"));
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1f);
            session.world().allReduce(one, DType.FLOAT32, ReduceOp.SUM);
            session.world().barrier();
            seen.add("sum=" + (int) one.get(ValueLayout.JAVA_FLOAT, 0));
        }
        System.out.println(seen);
    }
}
