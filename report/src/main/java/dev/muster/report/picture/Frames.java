// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.picture.Flow.Spot;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.List;

/// Hosts as frames, in them groups, in those boxes of one size in rows. Immutable.
///
/// @param <T> item of a box
final class Frames<T> {
    private static final double PADDING = 10;
    private static final double HEAD = 20;

    private final List<Host<T>> hosts;
    private final Spot box;
    private final double most;
    private final double gap;
    private final Flow flow;

    /// One host.
    record Host<T>(String title, List<Group<T>> groups) {}

    /// A group of items on a host.
    record Group<T>(String title, List<T> members) {}

    /// Draws the members of a group.
    interface Painter<T> {
        void draw(List<T> members, List<Spot> spots);
    }

    /// @param box size of a box
    /// @param most width of the page
    /// @param gap space between boxes, and between groups
    Frames(List<Host<T>> hosts, Spot box, double most, double gap, double hostGap) {
        this.hosts = hosts;
        this.box = box;
        this.most = most;
        this.gap = gap;
        this.flow = Flow.of(hosts.stream().map(this::hostSize).toList(), most, hostGap);
    }

    double width() {
        return flow.width();
    }

    double height() {
        return flow.height();
    }

    /// Returns the positions of hosts.
    List<Spot> spots(double x, double y) {
        return flow.spots().stream().map(spot -> spot.moved(x, y)).toList();
    }

    /// Returns the height of the middle of a host's title.
    static double middleOfTitle(Spot host) {
        return host.y() + PADDING + Font.NAME.size() / 2;
    }

    private Flow boxFlow(Group<T> group) {
        return Flow.of(group.members.stream().map(_ -> box).toList(), most - 4 * PADDING, gap);
    }

    /// Returns the rows of a host's groups; groups with the same number of members have the same width, so that rows
    /// form columns.
    private Flow groupFlow(Host<T> host) {
        List<Spot> sizes = host.groups.stream()
                .map(group -> framed(boxFlow(group), Font.LINE.width(group.title)))
                .toList();
        boolean isEven = host.groups.stream()
                        .map(group -> group.members.size())
                        .distinct()
                        .count()
                == 1;
        double widest = sizes.stream().mapToDouble(Spot::width).max().orElse(0);
        return Flow.of(
                sizes.stream()
                        .map(size -> isEven ? new Spot(0, 0, widest, size.height()) : size)
                        .toList(),
                most - 2 * PADDING,
                gap);
    }

    private Spot hostSize(Host<T> host) {
        return framed(groupFlow(host), Font.NAME.width(host.title));
    }

    private static Spot framed(Flow inside, double title) {
        return new Spot(0, 0, Math.max(inside.width(), title) + 2 * PADDING, inside.height() + HEAD + 2 * PADDING);
    }

    void draw(SvgCanvas canvas, double x, double y, Painter<T> painter) {
        List<Spot> spots = spots(x, y);
        for (int i = 0; i < spots.size(); i++) {
            drawHost(canvas, hosts.get(i), spots.get(i), painter);
        }
    }

    private void drawHost(SvgCanvas canvas, Host<T> host, Spot spot, Painter<T> painter) {
        spot.draw(canvas, "host", 8);
        canvas.text("name", spot.x() + PADDING, spot.y() + PADDING + Font.NAME.size(), host.title);
        List<Spot> spots = inside(groupFlow(host), spot);
        for (int i = 0; i < spots.size(); i++) {
            Group<T> group = host.groups.get(i);
            Spot frame = spots.get(i);
            frame.draw(canvas, "group", 6);
            canvas.text("line", frame.x() + PADDING, frame.y() + PADDING + Font.LINE.size(), group.title);
            painter.draw(group.members, inside(boxFlow(group), frame));
        }
    }

    private static List<Spot> inside(Flow flow, Spot frame) {
        return flow.spots().stream()
                .map(spot -> spot.moved(frame.x() + PADDING, frame.y() + PADDING + HEAD))
                .toList();
    }
}
