// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.UNKNOWN_KEY;
import static dev.muster.core.json.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceRefusalTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "not json | WRONG_TYPE",
                "nothing: | WRONG_TYPE",
                "x | MALFORMED",
                "{\"profiles\":[] | MALFORMED",
                "{\"profiles\":[],} | MALFORMED",
                "{'profiles':[]} | MALFORMED",
                "{\"profiles\":[]}x | MALFORMED",
                "{\"profiles\":[]}{} | MALFORMED",
                "{\"profiles\":[[[[[[]]]]]]} | WRONG_TYPE",
                "{} | MISSING_KEY",
                "[] | MISSING_KEY",
                "[3] | MISSING_KEY",
                "[3,[],[],{},1] | WRONG_TYPE",
                "null | WRONG_TYPE",
                "3 | WRONG_TYPE",
                "\"x\" | WRONG_TYPE",
                "{\"profiles\":null} | WRONG_TYPE",
                "{\"profiles\":{}} | WRONG_TYPE",
                "{\"profiles\":[],\"profiles\":[]} | DUPLICATE_KEY",
                "{\"profiles\":[],\"later\":1} | UNKNOWN_KEY",
                "{\"profiles\":[],\"schema_version\":3.0} | WRONG_TYPE",
                "{\"profiles\":[],\"schema_version\":-1} | WRONG_TYPE",
                "{\"profiles\":[],\"schema_version\":null} | WRONG_TYPE",
                "{\"profiles\":[],\"schema_version\":\"3\"} | WRONG_TYPE",
                "{\"profiles\":[],\"schema_version\":4294967296} | WRONG_VALUE",
                "{\"profiles\":[],\"system_io\":null} | WRONG_TYPE",
                "{\"profiles\":[],\"warnings\":null} | WRONG_TYPE",
                "{\"profiles\":[],\"warnings\":[\"cuda\"]} | WRONG_TYPE"
            })
    void namesWhatIsWrongWithARegistry(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> ReferenceDocument.read(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"available\":true,\"memory_bytes\":1} | MISSING_KEY",
                "{\"accelerator\":\"Cpu\",\"memory_bytes\":1} | MISSING_KEY",
                "{\"accelerator\":\"Cpu\",\"available\":true} | MISSING_KEY",
                "[\"Cpu\",true,1] | MISSING_KEY",
                "[\"Cpu\",true,1,null] | MISSING_KEY",
                "[\"Cpu\",true,1,null,null,null,null,null,null,null,null,null,null,null,null] | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":1,\"memory_bytes\":1} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":null,\"memory_bytes\":1} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":null} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1.0} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":-1} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":\"1\"} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":18446744073709551616} | WRONG_VALUE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"memory_bytes\":2} | DUPLICATE_KEY",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"later\":2} | UNKNOWN_KEY",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"numa_node\":-1} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"numa_node\":4294967296} | WRONG_VALUE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"temperature_c\":36.6} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"power_watts\":1e400} | WRONG_VALUE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"power_watts\":\"9\"} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"device_name\":7} | WRONG_TYPE",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1}} | MALFORMED"
            })
    void namesWhatIsWrongWithAProfile(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> ReferenceDocument.readProfile(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"CudaGpu\" | WRONG_TYPE",
                "\"cpu\" | WRONG_VALUE",
                "\"WindowsGpu\" | WRONG_VALUE",
                "null | WRONG_TYPE",
                "7 | WRONG_TYPE",
                "{} | MALFORMED",
                "{\"Cpu\":{}} | WRONG_TYPE",
                "{\"Cpu\":null,\"Cpu\":null} | MALFORMED",
                "{\"Cpu\":null,} | MALFORMED",
                "{\"Warp\":{\"device_id\":0}} | WRONG_VALUE",
                "{\"CudaGpu\":{}} | MISSING_KEY",
                "{\"CudaGpu\":[]} | MISSING_KEY",
                "{\"CudaGpu\":[0,1]} | WRONG_TYPE",
                "{\"CudaGpu\":null} | WRONG_TYPE",
                "{\"CudaGpu\":{\"device_id\":4294967296}} | WRONG_VALUE",
                "{\"CudaGpu\":{\"device_id\":0,\"device_id\":0}} | DUPLICATE_KEY",
                "{\"CudaGpu\":{\"device_id\":0},\"x\":1} | MALFORMED",
                "{\"Tpu\":{\"device_id\":0,\"chip_count\":4,\"version\":\"V6e\"}} | WRONG_VALUE",
                "{\"Tpu\":{\"device_id\":0,\"chip_count\":4,\"version\":{\"V4\":{}}}} | WRONG_TYPE",
                "{\"Tpu\":{\"device_id\":0,\"chip_count\":4}} | MISSING_KEY",
                "{\"Gaudi\":{\"device_id\":0,\"generation\":\"Gaudi\"}} | WRONG_VALUE",
                "{\"AwsNeuron\":{\"device_id\":0,\"chip_type\":\"Trainium2\",\"core_count\":2}} | WRONG_VALUE",
                "{\"AwsNeuron\":{\"device_id\":0,\"chip_type\":\"Trainium\",\"core_count\":-1}} | WRONG_TYPE"
            })
    void namesWhatIsWrongWithAType(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> ReferenceDocument.readType(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null | WRONG_TYPE",
                "{\"interconnects\":null} | WRONG_TYPE",
                "{\"interconnects\":[{\"kind\":\"PCIe\",\"name\":\"a\",\"bandwidth_gbps\":1}]} | WRONG_VALUE",
                "{\"interconnects\":[{\"kind\":\"NVLink\",\"name\":\"a\"}]} | MISSING_KEY",
                "{\"interconnects\":[{\"kind\":\"NVLink\",\"name\":null,\"bandwidth_gbps\":1}]} | WRONG_TYPE",
                "{\"storage\":[{\"name\":\"a\",\"kind\":\"Tape\",\"bandwidth_gbps\":1}]} | WRONG_VALUE",
                "{\"storage\":[],\"storage\":[]} | DUPLICATE_KEY",
                "{\"environment\":{\"is_docker\":true}} | MISSING_KEY",
                "{\"environment\":{\"is_docker\":true,\"is_kubernetes\":0}} | WRONG_TYPE",
                "{\"environment\":{\"is_docker\":true,\"is_kubernetes\":true,\"cloud_instance\":{}}} | MISSING_KEY",
                "{\"environment\":{\"is_docker\":true,\"is_kubernetes\":true,"
                        + "\"kubernetes_gpu\":{\"gpu_count\":1}}} | MISSING_KEY",
                "{\"environment\":{\"is_docker\":true,\"is_kubernetes\":true,"
                        + "\"kubernetes_gpu\":{\"gpu_count\":1,\"source\":\"x\",\"device_ids\":[1]}}} | WRONG_TYPE"
            })
    void namesWhatIsWrongWithASystem(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> ReferenceDocument.readSystemIo(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"ToolNotFound\" | WRONG_TYPE",
                "{\"Lost\":{\"tool\":\"a\"}} | WRONG_VALUE",
                "{\"ToolNotFound\":{}} | MISSING_KEY",
                "{\"ToolFailed\":[\"a\",1]} | MISSING_KEY",
                "{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":2147483648,\"stderr\":\"\"}} | WRONG_VALUE",
                "{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":1.0,\"stderr\":\"\"}} | WRONG_TYPE",
                "{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":-0,\"stderr\":\"\"}} | WRONG_TYPE",
                "{\"Timeout\":{\"tool\":\"a\",\"timeout_secs\":null}} | WRONG_TYPE",
                "{\"Timeout\":{\"tool\":\"a\"}} | MISSING_KEY"
            })
    void namesWhatIsWrongWithAWarning(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> ReferenceDocument.readGap(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"Tpu\" | WRONG_VALUE",
                "\"none\" | WRONG_VALUE",
                "{\"Gpu\":{}} | WRONG_TYPE",
                "{\"Gpus\":null} | WRONG_VALUE",
                "{\"Tpu\":{}} | MISSING_KEY",
                "{\"Tpu\":{\"min_chips\":-1}} | WRONG_TYPE",
                "null | WRONG_TYPE"
            })
    void namesWhatIsWrongWithARequirement(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> ReferenceDocument.readRequirement(text));
    }

    @Test
    void aNegativeNumberIsOneWord() {
        assertRefused(
                MALFORMED,
                () -> ReferenceDocument.readGap("{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":- 5,\"stderr\":\"\"}}"));
    }

    @Test
    void saysWhichKeysAreKnown() {
        assertThat(assertRefused(UNKNOWN_KEY, () -> ReferenceDocument.read("{\n \"profile\":[]}")))
                .hasMessageContaining("line 2, column 12: unknown key 'profile'")
                .hasMessageContaining("schema_version, profiles, warnings, system_io");
    }

    @Test
    void namesAHugeKeyInFewWords() {
        String key = "k".repeat(100_000);
        assertRefused(UNKNOWN_KEY, () -> ReferenceDocument.read("{\"" + key + "\":1}"));
    }

    @Test
    void namesAHugeTagInFewWords() {
        String tag = "k".repeat(100_000);
        assertRefused(
                DocumentException.DocumentErrorCode.WRONG_VALUE,
                () -> ReferenceDocument.readType("{\"" + tag + "\":1}"));
    }
}
