// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// The price files of providers.
interface Answers {
    /// The offer file of a region; the caller closes it.
    InputStream aws(String region) throws IOException;

    /// All pages of Azure with the prices of some machines.
    List<byte[]> azure(List<Machine> machines) throws IOException;

    /// All pages of Google Cloud.
    List<byte[]> gcp() throws IOException;
}
