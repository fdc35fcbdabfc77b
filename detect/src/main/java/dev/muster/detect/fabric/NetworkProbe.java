// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.pci.PciPath;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the ports of network cards that can access memory remotely: InfiniBand, RoCE, Omni-Path, EFA.
public final class NetworkProbe {
    private static final String FOLDER = "/sys/class/infiniband";
    private static final int MAX_CARDS = 1024;
    private static final int MAX_PORTS = 256;
    /// A port has an entry for each address it can have, up to 256; the first few tell what it speaks.
    private static final int MAX_TYPES = 8;

    private static final int MAX_TYPE = 256;

    /// Asks the host.
    public NetworkReport probe(ProbeContext context) {
        List<Interconnect> ports = new ArrayList<>();
        List<NetworkReport.Card> cards = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        HostFiles files = context.files();
        for (String name : files.names(FOLDER)) {
            if (cards.size() == MAX_CARDS) {
                break;
            }
            cards.add(new NetworkReport.Card(name, address(context, name)));
            List<String> numbers = files.numbered(FOLDER + "/" + name + "/ports", "");
            for (String number : numbers.subList(0, Math.min(numbers.size(), MAX_PORTS))) {
                // Cards with several ports are told apart as NCCL and the tools of the vendor do.
                String port = numbers.size() == 1 ? name : name + ":" + number;
                AttributeFolder folder = context.folder(FOLDER + "/" + name + "/ports/" + number, gaps::add);
                ports.add(read(port, folder, files));
            }
        }
        return new NetworkReport(ports, cards, gaps);
    }

    private static Reading<PciAddress> address(ProbeContext context, String name) {
        String link = FOLDER + "/" + name;
        Optional<PciPath> path = context.files().findRealPath(link + "/device").flatMap(PciPath::parse);
        if (path.isEmpty()) {
            path = context.files().findRealPath(link).flatMap(PciPath::parse);
        }
        return path.isPresent()
                ? Reading.known(path.get().address(), context.fromFile(link))
                : Reading.notSupported(link + " leads to no PCI device");
    }

    private static Interconnect read(String name, AttributeFolder port, HostFiles files) {
        Reading<String> state = port.text("state");
        String layer = port.text("link_layer").find().orElse("");
        Interconnect.InterconnectKind kind = Interconnect.InterconnectKind.INFINIBAND;
        if (PortText.isEthernet(layer)) {
            kind = isVersion2(port, files) ? Interconnect.InterconnectKind.ROCE_V2 : Interconnect.InterconnectKind.ROCE;
        }
        return new Interconnect(kind, name, rate(port, state), state);
    }

    /// The rate that a port states while it is down does not count. Its own state decides: the physical one differs
    /// between drivers.
    private static Reading<Bandwidth> rate(AttributeFolder port, Reading<String> state) {
        Optional<String> text = state.find();
        if (text.isPresent() && !PortText.isActive(text.get())) {
            String physical =
                    port.text("phys_state").find().map(word -> ", " + word).orElse("");
            return Reading.notSupported("the port is not active: " + text.get() + physical);
        }
        return port.reading("rate", PortText::parseRate);
    }

    private static boolean isVersion2(AttributeFolder port, HostFiles files) {
        String types = port.path() + "/gid_attrs/types";
        List<String> names = files.numbered(types, "");
        for (String name : names.subList(0, Math.min(names.size(), MAX_TYPES))) {
            // Entries without an address cannot be read, which is not a gap: this asks the file itself.
            if (files.read(types + "/" + name, MAX_TYPE) instanceof HostAnswer.Found(String text)
                    && text.contains("RoCE v2")) {
                return true;
            }
        }
        return false;
    }
}
