// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.NEWER_SCHEMA;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.TOO_LARGE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;
import static dev.muster.core.json.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.TopologyGraph;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryRefusalTest {
    private static AcceleratorRegistry read(String text) {
        return RegistryDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refusesADocumentOfALaterSchema() {
        assertThat(assertRefused(NEWER_SCHEMA, () -> read("{\"schema\":2,\"kind\":\"registry\",\"devices\":[]}")))
                .hasMessageContaining("schema 2")
                .hasMessageContaining("update Muster");
        assertRefused(NEWER_SCHEMA, () -> read("{\"kind\":\"inventory\",\"devices\":[],\"schema\":2147483647}"));
    }

    @Test
    void theSchemaIsLookedAtFirst() {
        assertRefused(NEWER_SCHEMA, () -> read("{\"schema\":2,\"hosts\":[]}"));
    }

    @Test
    void refusesMoreDevicesThanARegistryMayHave() {
        String device = "{\"accelerator\":\"cpu\"},";
        String most = "{\"schema\":1,\"kind\":\"registry\",\"devices\":["
                + device.repeat(RegistryDocument.MAX_DEVICES - 1) + "{\"accelerator\":\"cpu\"}";
        assertThat(read(most + "]}").profiles()).hasSize(RegistryDocument.MAX_DEVICES);
        assertThat(assertRefused(TOO_LARGE, () -> read(most + ",{\"accelerator\":\"cpu\"}]}")))
                .hasMessageContaining("more than " + RegistryDocument.MAX_DEVICES + " devices");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void anEmptyTextIsNotJson(String text) {
        assertRefused(MALFORMED, () -> read(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[3,[]]", "7", "null", "\"registry\""})
    void aRegistryIsAnObject(String text) {
        assertRefused(WRONG_TYPE, () -> read(text));
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        byte[] latin1 = "{\"schema\":1,\"devices\":[],\"x\":\"ä\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(assertRefused(MALFORMED, () -> RegistryDocument.read(latin1)).offset())
                .isEqualTo(30);
        assertRefused(TOO_LARGE, () -> RegistryDocument.read(new byte[RegistryDocument.MAX_BYTES + 1]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"schema\":1} | MISSING_KEY",
                "{\"schema\":0,\"devices\":[]} | WRONG_VALUE",
                "{\"schema\":\"1\",\"devices\":[]} | WRONG_TYPE",
                "{\"schema\":1.0,\"devices\":[]} | WRONG_TYPE",
                "{\"schema\":-1,\"devices\":[]} | WRONG_TYPE",
                "{\"schema\":99999999999,\"devices\":[]} | WRONG_VALUE",
                "{\"schema\":1,\"schema\":1,\"devices\":[]} | DUPLICATE_KEY",
                "{\"schema\":1,\"kind\":\"plan\",\"devices\":[]} | WRONG_VALUE",
                "{\"schema\":1,\"devices\":{}} | WRONG_TYPE",
                "{\"schema\":1,\"devices\":[],\"observedAt\":\"yesterday\"} | WRONG_VALUE",
                "{\"schema\":1,\"devices\":[],\"observedAt\":7} | WRONG_TYPE",
                "{\"schema\":1,\"devices\":[],\"gaps\":[{\"kind\":\"lost\"}]} | WRONG_VALUE",
                "{\"schema\":1,\"devices\":[],\"gaps\":[{\"tool\":\"a\"}]} | MISSING_KEY",
                "{\"schema\":1,\"devices\":[],\"sources\":[{}]} | MISSING_KEY",
                "{\"schema\":1,\"devices\":[],\"sources\":[{\"source\":\" \",\"method\":\"file\","
                        + "\"confidence\":\"stated\"}]} | WRONG_VALUE",
                "{\"schema\":1,\"devices\":[],\"sources\":[{\"source\":\"a\",\"method\":\"magic\","
                        + "\"confidence\":\"stated\"}]} | WRONG_VALUE",
                "{\"schema\":1,\"devices\":[],\"storage\":[{\"kind\":\"tape\",\"name\":\"a\","
                        + "\"bandwidthBytesPerSecond\":1}]} | WRONG_VALUE",
                "{\"schema\":1,\"devices\":[],\"interconnects\":[{\"kind\":\"nvlink\"}]} | MISSING_KEY",
                "{\"schema\":1,\"devices\":[],\"environment\":{}} | MISSING_KEY",
                "{\"schema\":1,\"devices\":[],\"x\":tru} | MALFORMED",
                "{\"schema\":1,\"devices\":[]}, | MALFORMED"
            })
    void namesWhatIsWrongWithARegistry(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> read(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | MISSING_KEY",
                "{\"accelerator\":\"CudaGpu\"} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"index\":-1} | WRONG_TYPE",
                "{\"accelerator\":\"cuda\",\"index\":4294967296} | WRONG_VALUE",
                "{\"accelerator\":\"tpu\"} | WRONG_VALUE",
                "{\"accelerator\":\"tpu\",\"generation\":\"V4\"} | WRONG_VALUE",
                "{\"accelerator\":\"other\",\"family\":\"gpu\"} | WRONG_VALUE",
                "{\"accelerator\":\"other\",\"vendor\":\"acme\"} | WRONG_VALUE",
                "{\"accelerator\":\"other\",\"vendor\":\"cuda\",\"family\":\"gpu\"} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"available\":\"yes\"} | WRONG_TYPE",
                "{\"accelerator\":\"cuda\",\"memoryTotalBytes\":18446744073709551616} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"memoryTotalBytes\":null} | WRONG_TYPE",
                "{\"accelerator\":\"cuda\",\"numaNode\":9223372036854775808} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"pciAddress\":\"here\"} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"powerWatts\":1e400} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"partition\":{\"parent\":\"cuda:0\"}} | MISSING_KEY",
                "{\"accelerator\":\"cuda\",\"partition\":{\"parent\":\" \",\"id\":\"a\"}} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"provenance\":{\"uuid\":0}} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"unknown\":{\"uuid\":{}}} | MISSING_KEY",
                "{\"accelerator\":\"cuda\",\"unknown\":{\"uuid\":{\"reason\":\"lazy\"}}} | WRONG_VALUE",
                "{\"accelerator\":\"cuda\",\"uuid\":\"a\",\"uuid\":\"a\"} | DUPLICATE_KEY"
            })
    void namesWhatIsWrongWithADevice(String device, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> read("{\"schema\":1,\"devices\":[" + device + "]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"id\":\"a\",\"kind\":\"host\"},{\"id\":\"a\",\"kind\":\"nic\"}] | [] | WRONG_VALUE",
                "[{\"id\":\" \",\"kind\":\"host\"}] | [] | WRONG_VALUE",
                "[{\"id\":\"a\",\"kind\":\"device\"}] | [] | WRONG_VALUE",
                "[{\"id\":\"a\",\"kind\":\"moon\"}] | [] | WRONG_VALUE",
                "[{\"id\":\"a\"}] | [] | MISSING_KEY",
                "[{\"id\":\"a\",\"kind\":\"pcie-bridge\",\"pciAddress\":\"\"}] | [] | WRONG_VALUE",
                "[] | [{\"from\":\"a\",\"to\":\"b\",\"kind\":\"pcie\"}] | WRONG_VALUE",
                "[{\"id\":\"a\",\"kind\":\"host\"}] | [{\"from\":\"a\",\"to\":\"a\",\"kind\":\"pcie\"}] | WRONG_VALUE",
                "[] | [{\"from\":\"a\",\"to\":\"b\",\"kind\":\"rope\"}] | WRONG_VALUE",
                "[] | [{\"from\":\"a\",\"to\":\"b\",\"kind\":\"pcie\",\"lanes\":0}] | WRONG_VALUE",
                "[] | [{\"from\":\"a\",\"to\":\"b\"}] | MISSING_KEY",
                "{} | [] | WRONG_TYPE"
            })
    void namesWhatIsWrongWithATopology(String nodes, String links, DocumentException.DocumentErrorCode code) {
        assertRefused(
                code,
                () -> read("{\"schema\":1,\"devices\":[],\"topology\":{\"nodes\":" + nodes + ",\"links\":" + links
                        + "}}"));
    }

    @Test
    void anEmptyTopologyIsSound() {
        assertThat(read("{\"schema\":1,\"devices\":[],\"topology\":{}}").topology())
                .isEqualTo(TopologyGraph.EMPTY);
    }
}
