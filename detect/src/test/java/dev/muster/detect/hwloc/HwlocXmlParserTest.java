// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HwlocXmlParserTest {
    private static final String START = "<topology version='2.0'><object type='Machine'>";
    private static final String END = "</object></topology>";

    private static void assertRefused(String text, String message) {
        assertThatExceptionOfType(HwlocFormatException.class)
                .isThrownBy(() -> HwlocDocument.read(text.getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <                                                        | not well-formed XML (line 1
            <topology version='2.0'>                                 | not well-formed XML
            <topology version='2.0'></topology>                      | has no machine
            <topology version='2.0'/><topology/>                     | not well-formed XML
            <computer/>                                              | is a <computer>, not the <topology>
            <!-- c --><system>                                       | not a topology file of NCCL
            <topology><object type='System'/></topology>             | format of hwloc 1
            <topology version='4.0'/>                                | version 4.0 is not known
            <topology version='2.0'><object/></topology>             | an object has no type
            <topology version='2.0'><object type='PU'/></topology>   | has no machine
            """)
    void saysWhatIsWrongWithADocument(String text, String message) {
        assertRefused(text, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <object type='PCIDev'/>                                             | a PCIDev has no PCI address
            <object type='Bridge' bridge_type='1-1' pci_busid='x'/>             | a Bridge has no PCI address
            <object type='NUMANode'/>                                           | a NUMA node has no number
            <object type='NUMANode' os_index='1'/><object type='NUMANode' os_index='1'/> | have the number 1
            """)
    void saysWhatIsWrongWithAnObject(String objects, String message) {
        assertRefused(START + objects + END, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            100000 | 1                               | 0 to 512 objects
            2      | <indexes>1</indexes>            | fewer numbers
            1      | <indexes>1 2</indexes>          | more numbers
            1      | <indexes>x</indexes>            | is not a number
            1      | <indexes><a/></indexes>         | holds an element
            1      | <u64values>-1</u64values>       | is not a number
            """)
    void saysWhatIsWrongWithAMatrix(String size, String content, String message) {
        String matrix = "<distances2 name='NVLinkBandwidth' nbobjs='" + size + "'>" + content + "</distances2>";

        assertRefused(START + "</object>" + matrix + "</topology>", message);
    }

    @Test
    void refusesEndlessNesting() {
        assertRefused(START + "<object type='Group'>".repeat(100), "more than 64 deep");
    }

    @Test
    void refusesEndlessText() {
        assertRefused(START + "<info name='a' value='" + "x".repeat(100_000) + "'/>" + END, "longer than");
    }

    @Test
    void refusesEndlessElements() {
        assertRefused(START + "<a/>".repeat(600_000) + END, "more than 500000 elements");
    }

    @Test
    void opensNoFileForAnEntity() {
        assertRefused(
                "<!DOCTYPE topology [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>" + START + "&e;" + END,
                "not well-formed XML");
    }
}
