package dev.muster.cli.topology;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Quantity;
import dev.muster.core.Link;

/// What people read of a link, such as `12 links, 300 GB/s`.
final class LinkText {
    private LinkText() {}

    static String of(Link link) {
        String count = Count.of(link.lanes(), "link");
        String rate =
                link.bandwidth().find().map(known -> ", " + Quantity.of(known)).orElse("");
        return count + rate + (link.isDown() ? ", down" : "");
    }
}
