// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpCommandTest {
    private static final int LONGEST = 1 << 20;

    @Test
    void agreesOnARevisionThatTheClientKnows() {
        assertThat(ask(message("initialize", "{\"protocolVersion\":\"2025-03-26\"}"))
                        .require("result")
                        .requireText("protocolVersion"))
                .isEqualTo("2025-03-26");
        assertThat(ask(message("initialize", "{\"protocolVersion\":\"1999-01-01\"}"))
                        .require("result")
                        .requireText("protocolVersion"))
                .isEqualTo("2025-11-25");
    }

    @Test
    void everyToolDescribesItsArguments() {
        List<JsonValue> tools =
                ask(message("tools/list", "{}")).require("result").requireItems("tools");
        assertThat(tools.stream().map(tool -> tool.requireText("name")))
                .containsExactly("detect", "models", "plan", "simulate", "train", "fit", "cost", "compare");
        assertThat(tools).allSatisfy(tool -> {
            JsonValue schema = tool.require("inputSchema");
            assertThat(schema.requireText("type")).isEqualTo("object");
            assertThat(tool.requireText("description")).endsWith(".");
            assertThat(((JsonObject) schema.require("properties")).members().values())
                    .allSatisfy(
                            one -> assertThat(one.requireText("description")).isNotBlank());
        });
    }

    @Test
    void aPlanIsThatOfTheCommandLine() {
        JsonValue planned = call("plan", "{\"model\":\"llama-3.1-8b\"}");
        Outcome printed = MusterRun.inPipe().run("plan", "llama-3.1-8b", "--synthetic", "h100-sxm:2", "--json");
        assertThat(planned.require("structuredContent").toText() + "\n")
                .isEqualTo(JsonValue.parse(printed.out()).toText() + "\n");
        assertThat(text(planned)).startsWith("llama-3.1-8b").contains("answer        vLLM on");
    }

    @Test
    void aCallMayNameAnotherMachine() {
        assertThat(text(call("plan", "{\"model\":\"llama-3.1-8b\",\"machine\":\"mi300x:1\"}")))
                .contains("1 x Instinct MI300X");
        assertThat(text(call("detect", "{\"machine\":\"l4:4\"}"))).contains("cuda:3  L4");
        assertThat(text(call("detect", "{}"))).contains("cuda:1  H100");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            plan   | {"model":"nonsense"}                    | 'model' is neither a size
            plan   | {"model":"8B","machine":"nonsense:8"}   | 'machine':
            plan   | {"model":"8B","colour":"red"}           | 'colour'
            plan   | {"model":"8B","context":"long"}         | 'context'
            plan   | {}                                      | 'model'
            models | {"name":"nonsense"}                     | no model of the catalogue
            """)
    void whatCannotBeAnsweredIsSaidToTheModel(String tool, String arguments, String reason) {
        JsonValue refused = call(tool, arguments);
        assertThat(refused.toText()).contains("\"isError\":true");
        assertThat(text(refused)).contains(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense                                                            | -32700
            []                                                                  | -32600
            {"jsonrpc":"2.0","id":1}                                            | -32600
            {"jsonrpc":"2.0","id":1,"method":"resources/list"}                  | -32601
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}} | -32602
            """)
    void malformedMessagesGetTheCodeOfTheProtocol(String message, int code) {
        assertThat(ask(message).require("error").requireNumber("code").toDouble())
                .isEqualTo(code);
    }

    @Test
    void notificationsAndRepliesGetNoReply() {
        assertThat(run(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                        "",
                        "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}"))
                .isEmpty();
    }

    @Test
    void aMessageThatIsTooLongIsRefusedAndTheNextIsAnswered() {
        List<JsonValue> replies = run("[\"" + "x".repeat(LONGEST) + "\"]", message("ping", "{}"));
        assertThat(replies).hasSize(2);
        assertThat(replies.getFirst().require("error").requireText("message")).contains("1048576 bytes");
        assertThat(replies.getLast().require("result").toText()).isEqualTo("{}");
    }

    private static JsonValue call(String tool, String arguments) {
        return ask(message("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}"))
                .require("result");
    }

    private static String text(JsonValue result) {
        return ((JsonString) result.requireItems("content").getFirst().require("text")).value();
    }

    private static String message(String method, String parameters) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + parameters + "}";
    }

    private static JsonValue ask(String message) {
        return run(message).getFirst();
    }

    private static List<JsonValue> run(String... messages) {
        Outcome outcome = MusterRun.inPipe()
                .withStdin(Stream.of(messages).collect(Collectors.joining("\n", "", "\n")))
                .run("mcp", "--synthetic", "h100-sxm:2");
        assertThat(outcome.code()).isZero();
        return outcome.out().lines().map(JsonValue::parse).toList();
    }
}
