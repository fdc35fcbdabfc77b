package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;

/// Reads a published topology. A class of its own, so that machines without one load nothing of XML.
final class PublishedTopology {
    private PublishedTopology() {}

    /// The topology; an empty one, and a gap, where the text is none.
    static NcclTopology parse(String text, String file, Consumer<Gap> gaps) {
        try {
            return NcclTopologyParser.parse(text);
        } catch (XMLStreamException e) {
            gaps.accept(new Gap.Unparsable("topology", file + ": " + e.getMessage()));
            return NcclTopology.EMPTY;
        }
    }
}
