// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.probe;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.TopologyNode;
import java.util.ArrayList;
import java.util.List;

/// The findings of one probe.
///
/// @param profiles the devices
/// @param gaps facts that could not be learned
/// @param interconnects fabrics and network ports
/// @param nodes the ends of the links beside the devices, such as switches
/// @param links the fabric between the devices
/// @since 0.1
public record ProbeReport(
        List<AcceleratorProfile> profiles,
        List<Gap> gaps,
        List<Interconnect> interconnects,
        List<TopologyNode> nodes,
        List<Link> links) {
    /// Nothing found, nothing missed.
    public static final ProbeReport EMPTY = builder().build();

    /// Copies the lists.
    public ProbeReport {
        profiles = List.copyOf(profiles);
        gaps = List.copyOf(gaps);
        interconnects = List.copyOf(interconnects);
        nodes = List.copyOf(nodes);
        links = List.copyOf(links);
    }

    /// Starts an empty report.
    public static ReportBuilder builder() {
        return new ReportBuilder();
    }

    /// Puts a report together. Confined to one thread.
    public static final class ReportBuilder {
        private final List<AcceleratorProfile> profiles = new ArrayList<>();
        private final List<Gap> gaps = new ArrayList<>();
        private final List<Interconnect> interconnects = new ArrayList<>();
        private final List<TopologyNode> nodes = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();

        private ReportBuilder() {}

        /// Adds a device.
        public ReportBuilder add(AcceleratorProfile profile) {
            profiles.add(profile);
            return this;
        }

        /// Adds something that could not be learned; the same gap is kept once.
        public ReportBuilder add(Gap gap) {
            if (!gaps.contains(gap)) {
                gaps.add(gap);
            }
            return this;
        }

        /// Adds a fabric or port.
        public ReportBuilder add(Interconnect interconnect) {
            interconnects.add(interconnect);
            return this;
        }

        /// Adds a node that links lead to.
        public ReportBuilder add(TopologyNode node) {
            nodes.add(node);
            return this;
        }

        /// Adds a link between nodes.
        public ReportBuilder add(Link link) {
            links.add(link);
            return this;
        }

        /// The devices so far.
        public List<AcceleratorProfile> profiles() {
            return List.copyOf(profiles);
        }

        /// The report.
        public ProbeReport build() {
            return new ProbeReport(profiles, gaps, interconnects, nodes, links);
        }
    }
}
