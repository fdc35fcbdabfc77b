// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.cli.session.Version;
import dev.muster.report.text.Printable;
import dev.muster.server.McpServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// `muster mcp`: tools for language models over standard input and output, until the input ends.
public final class McpCommand implements Command {
    private static final int MOST_BYTES = 1 << 20;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mcp", "serve tools to language models (MCP)");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .printing(List.of())
                .example("muster mcp", "started by a client, which talks to it over standard input and output")
                .example("muster mcp --synthetic h100-sxm:8", "for questions about another machine");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        try (McpServer server = McpServer.of(
                () -> session.loadRegistry(arguments),
                PlannerOptions.planners(arguments, session, PlannerOptions.isHere(arguments)),
                Version.TEXT)) {
            return serve(new BufferedInputStream(session.stdin()), server, session);
        } catch (IOException e) {
            throw new CommandException("cannot read standard input: " + Printable.of(e), e);
        }
    }

    private static int serve(InputStream input, McpServer server, Session session) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean isLong = false;
        for (int read = input.read(); read >= 0; read = input.read()) {
            if (read != '\n') {
                isLong |= line.size() == MOST_BYTES;
                if (!isLong) {
                    line.write(read);
                }
                continue;
            }
            String message = line.toString(StandardCharsets.UTF_8).strip();
            Optional<String> reply = isLong
                    ? Optional.of(server.refuseLong(MOST_BYTES))
                    : Optional.of(message).filter(text -> !text.isEmpty()).flatMap(server::answer);
            line.reset();
            isLong = false;
            reply.ifPresent(text -> session.print(text + "\n"));
            int written = session.flush();
            if (written != ExitCode.OK) {
                return written;
            }
        }
        return ExitCode.OK;
    }
}
