// SPDX-License-Identifier: Apache-2.0
/// Machines as hwloc describes them: the XML that `lstopo --of xml` writes, read as a registry. Such a file is all
/// there is; nothing of the host is asked.
@NullMarked
package dev.muster.detect.hwloc;

import org.jspecify.annotations.NullMarked;
