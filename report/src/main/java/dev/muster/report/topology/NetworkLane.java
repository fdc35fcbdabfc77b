// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A network between the network cards of hosts.
///
/// @param kind kind of the network
/// @param links links from cards to it
record NetworkLane(LinkKind kind, List<Link> links) {
    /// The height of a network in a picture.
    static final double HEIGHT = FabricLanes.LANE + FabricLanes.BAR;

    private static final double STEM_GAP = 90;
    private static final double THICKNESS = 4;

    static List<NetworkLane> of(TopologyGraph graph) {
        List<NetworkLane> networks = new ArrayList<>();
        for (TopologyNode node : graph.nodes()) {
            List<Link> links = graph.linksOf(node.id()).stream()
                    .filter(link -> graph.findNode(link.otherEnd(node.id()))
                            .filter(TopologyNode.Nic.class::isInstance)
                            .isPresent())
                    .toList();
            if (node instanceof TopologyNode.FabricSwitch && !links.isEmpty()) {
                networks.add(new NetworkLane(links.getFirst().kind(), links));
            }
        }
        return networks;
    }

    /// Draws a bar below all hosts, with a line from each that has a card in it.
    ///
    /// @param boxes boxes, including those of the cards
    /// @param top bottom of the hosts
    /// @param index number of the network, so that the lines of several lie beside each other
    void draw(SvgCanvas canvas, List<PictureBox> hosts, Map<NodeId, PictureBox> boxes, double top, int index) {
        double y = top + FabricLanes.LANE;
        for (PictureBox host : hosts) {
            List<Link> own = links.stream()
                    .filter(link -> host.spans(boxes.get(link.from())) || host.spans(boxes.get(link.to())))
                    .toList();
            if (!own.isEmpty()) {
                double x = host.centre() + index * STEM_GAP;
                canvas.line(kind.text(), THICKNESS, x, host.bottom(), x, y);
                canvas.text("small", x + 6, y - 8, cards(own));
            }
        }
        double left = hosts.getFirst().x;
        double right = hosts.getLast().x + hosts.getLast().width;
        canvas.box("switch " + kind.text(), left, y, right - left, FabricLanes.BAR, 6);
        canvas.centred("name", (left + right) / 2, y + FabricLanes.BAR / 2 + 4, Fabric.name(kind) + " between hosts");
    }

    private static String cards(List<Link> links) {
        String rate = links.getFirst().bandwidth().find().map(Quantity::of).orElse("unknown rate");
        return links.size() == 1 ? rate : links.size() + " x " + rate;
    }
}
