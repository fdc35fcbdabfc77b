// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.fleet.file.TokenFile;
import java.net.URI;
import java.util.List;

/// `muster:URL` asks `muster serve` of another host.
public final class MusterServerProvider implements FleetSourceProvider {
    private static final SourceOption TOKEN_FILE =
            new SourceOption("muster-token-file", "FILE", "file with the token of 'muster serve' on other hosts");

    @Override
    public String scheme() {
        return "muster";
    }

    @Override
    public String usage() {
        return "muster:URL";
    }

    @Override
    public List<SourceOption> options() {
        return List.of(TOKEN_FILE);
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        return MusterServerSource.of(
                URI.create(text),
                TokenFile.read(context, TOKEN_FILE),
                context.host().clock());
    }
}
