package dev.muster.plan.rules;

import dev.muster.core.Interconnect;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import java.util.List;

/// How well the devices of a registry are joined, as far as the rules look: the fastest link of each kind, whoever it
/// joins and whether it is up.
///
/// @param nvSwitch whether there is an NVSwitch
/// @param gigabytesPerSecond the fastest NVLink, XGMI, network and ICI links together
record FabricSpeed(boolean nvSwitch, double gigabytesPerSecond) {
    static FabricSpeed of(List<Interconnect> interconnects) {
        boolean nvSwitch = false;
        double nvlink = 0;
        double xgmi = 0;
        double network = 0;
        double ici = 0;
        for (int i = 0; i < interconnects.size(); i++) {
            Interconnect link = interconnects.get(i);
            double rate = rate(link);
            switch (link.kind()) {
                case NVSWITCH -> {
                    nvSwitch = true;
                    nvlink = Math.max(nvlink, rate);
                }
                case NVLINK -> nvlink = Math.max(nvlink, rate);
                case XGMI -> xgmi = Math.max(xgmi, rate);
                case INFINIBAND, ROCE, ROCE_V2 -> network = Math.max(network, rate);
                case ICI -> ici = Math.max(ici, rate);
                case PCIE -> {
                    // The release that these rules are of does not know it.
                }
            }
        }
        return new FabricSpeed(nvSwitch, nvlink + xgmi + network + ici);
    }

    private static double rate(Interconnect link) {
        return link.bandwidth() instanceof Reading.Known<Bandwidth>(Bandwidth rate, var _)
                ? rate.gigabytesPerSecond()
                : 0;
    }
}
