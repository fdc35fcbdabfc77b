package dev.muster.mesh;

/// How the groups of a family are called.
enum GroupNaming {
    /// Label and number: `tp_0`.
    NUMBERED {
        @Override
        String name(GroupFamily family, int index) {
            return family.label() + "_" + index;
        }

        @Override
        int index(GroupFamily family, String name) {
            return GroupFamily.number(name, family.label() + "_", family.count());
        }
    },
    /// By replica and stage: `tp_dp1_pp0`. Only for groups along `tp` of a mesh of `tp`, `pp` and `dp`.
    BY_REPLICA_AND_STAGE {
        private static final String START = "tp_dp";
        private static final String MIDDLE = "_pp";

        @Override
        String name(GroupFamily family, int index) {
            int stages = family.spec().size(MeshDimension.PIPELINE);
            return START + index / stages + MIDDLE + index % stages;
        }

        @Override
        int index(GroupFamily family, String name) {
            int middle = name.indexOf(MIDDLE);
            if (middle < 0) {
                return -1;
            }
            int stages = family.spec().size(MeshDimension.PIPELINE);
            int replica = GroupFamily.number(
                    name.substring(0, middle), START, family.spec().size(MeshDimension.DATA));
            int stage = GroupFamily.number(name.substring(middle), MIDDLE, stages);
            return replica < 0 || stage < 0 ? -1 : replica * stages + stage;
        }
    };

    /// The name of a group.
    abstract String name(GroupFamily family, int index);

    /// The number of the group with that name; -1 if there is none.
    abstract int index(GroupFamily family, String name);
}
