// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.net.URI;

/// Everything that is needed to talk to an API server.
///
/// @param name what the source calls it
/// @param server the server
/// @param authorities certificates of who may vouch for it, in PEM; blank for those that Java trusts
/// @param isUnchecked whether anybody may answer
/// @param proxy a proxy on the way, `http://host:port`; blank for none
/// @param credential who asks
record ClusterAccess(
        String name, URI server, String authorities, boolean isUnchecked, String proxy, Credential credential) {
    /// Who asks: by token, by certificate, both, or nobody. Never shown.
    ///
    /// @param token a bearer token; blank for none
    /// @param certificate a certificate with its chain, in PEM; blank for none
    /// @param key its private key, in PEM
    record Credential(String token, String certificate, String key) {
        static final Credential NONE = new Credential("", "", "");

        @Override
        public String toString() {
            return "Credential[not shown]";
        }
    }
}
