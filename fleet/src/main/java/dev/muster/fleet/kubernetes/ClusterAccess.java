// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.net.URI;

/// Everything that is needed to talk to an API server.
///
/// @param name the name of the source
/// @param server the server
/// @param authorities certificates of who may vouch for it, in PEM; blank for those that Java trusts
/// @param isUnchecked true if the server's identity is not verified
/// @param proxy a proxy on the way, `http://host:port`; blank for none
/// @param credential the client's credential
record ClusterAccess(
        String name, URI server, String authorities, boolean isUnchecked, String proxy, Credential credential) {
    /// The client's credential: a token, a certificate, both or neither. Never shown.
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
