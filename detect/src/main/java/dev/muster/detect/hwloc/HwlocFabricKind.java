package dev.muster.detect.hwloc;

import dev.muster.core.LinkKind;
import java.util.Optional;

/// The fabrics of which hwloc writes a matrix, in MB/s each way.
enum HwlocFabricKind {
    NVLINK("NVLinkBandwidth", LinkKind.NVLINK),
    XGMI("XGMIBandwidth", LinkKind.XGMI),
    XE_LINK("XeLinkBandwidth", LinkKind.XE_LINK);

    private final String matrix;
    private final LinkKind link;

    HwlocFabricKind(String matrix, LinkKind link) {
        this.matrix = matrix;
        this.link = link;
    }

    /// The fabric of a matrix.
    static Optional<HwlocFabricKind> find(String matrix) {
        for (HwlocFabricKind kind : values()) {
            if (kind.matrix.equals(matrix)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    LinkKind link() {
        return link;
    }
}
