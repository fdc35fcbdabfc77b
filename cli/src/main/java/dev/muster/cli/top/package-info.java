// SPDX-License-Identifier: Apache-2.0
/// `muster top`: what is shown ([TopScreen], a pure function of data, state and size), what keys do ([TopState]), and
/// the loop between them and a terminal ([TopLoop]).
@NullMarked
package dev.muster.cli.top;

import org.jspecify.annotations.NullMarked;
