#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands for a launcher such as torchrun: writes how it was called into the file RECORD, and starts nothing.
set -eu
{
    printf '%s\0' "${0##*/}" "$@"
    printf '\0'
    env -0
} >>"$RECORD"
