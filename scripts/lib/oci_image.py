# SPDX-License-Identifier: Apache-2.0
"""Writes folders as the layers of an image in the OCI layout, in one tar: the same bytes for the same contents."""
import argparse
import gzip
import hashlib
import io
import json
import os
import tarfile
from datetime import datetime


def owned(info, seconds):
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = seconds
    return info


def layer(folder, seconds):
    """The folder as tar, uncompressed: names sorted, all of root, one time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for parent, folders, files in os.walk(folder):
            folders.sort()
            links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
            if parent != folder:
                tar.add(parent, os.path.relpath(parent, folder), recursive=False, filter=lambda i: owned(i, seconds))
            for name in sorted(files + links):
                path = os.path.join(parent, name)
                info = owned(tar.gettarinfo(path, os.path.relpath(path, folder)), seconds)
                if info.islnk():  # a second name of a file: written as a file of its own
                    info.type, info.size = tarfile.REGTYPE, os.path.getsize(path)
                if info.isreg():
                    with open(path, "rb") as data:
                        tar.addfile(info, data)
                else:
                    tar.addfile(info)
    return out.getvalue()


def main():
    options = argparse.ArgumentParser()
    for name in ("name", "version", "created", "revision", "output"):
        options.add_argument("--" + name, required=True)
    options.add_argument("folders", nargs="+")
    given = options.parse_args()
    seconds = int(datetime.fromisoformat(given.created.replace("Z", "+00:00")).timestamp())
    blobs = {}

    def blob(kind, data, **more):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + digest, "size": len(data), **more}

    def document(value):
        return json.dumps(value, indent=1, sort_keys=True).encode()

    layers, ids = [], []
    for folder in given.folders:
        data = layer(folder, seconds)
        ids.append("sha256:" + hashlib.sha256(data).hexdigest())
        layers.append(blob("layer.v1.tar+gzip", gzip.compress(data, 6, mtime=0)))
    labels = {
        "org.opencontainers.image.title": "Muster",
        "org.opencontainers.image.description": "Finds AI accelerators, plans models on them, watches them",
        "org.opencontainers.image.version": given.version,
        "org.opencontainers.image.revision": given.revision,
        "org.opencontainers.image.created": given.created,
        # Muster, its jars and its Java; then the base: busybox, base-files, libc6. Parts of libc6 are under further licences
        # that ask for a notice alone, which /usr/share/doc/libc6/copyright is.
        "org.opencontainers.image.licenses": "Apache-2.0 AND MIT AND GPL-2.0-only WITH Classpath-exception-2.0"
                                             " AND GPL-2.0-only AND GPL-2.0-or-later AND LGPL-2.1-or-later",
    }
    config = {
        "created": given.created,
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "User": "65532:65532",
            "Env": ["PATH=/usr/bin", "LC_ALL=C.UTF-8"],
            "Entrypoint": ["/usr/bin/muster"],
            "Cmd": ["serve", "--listen", "0.0.0.0:9470"],
            "ExposedPorts": {"9470/tcp": {}},
            "WorkingDir": "/tmp",
            "Labels": labels,
            "StopSignal": "SIGTERM",
            # Not of OCI's own: docker reads it, others pass over it. Nanoseconds.
            "Healthcheck": {
                "Test": ["CMD", "wget", "-q", "-O", "/dev/null", "http://localhost:9470/healthz"],
                "Interval": 30_000_000_000, "Timeout": 5_000_000_000, "StartPeriod": 10_000_000_000, "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": ids},
        "history": [{"created": given.created, "created_by": "scripts/image"} for _ in ids],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob("config.v1+json", document(config)),
        "layers": layers,
        "annotations": labels,
    }
    entry = blob("manifest.v1+json", document(manifest), platform={"architecture": "amd64", "os": "linux"},
                 annotations={"org.opencontainers.image.ref.name": given.name})
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}

    files = {"index.json": document(index), "oci-layout": b'{"imageLayoutVersion": "1.0.0"}'}
    files.update(("blobs/sha256/" + digest, data) for digest, data in blobs.items())
    with tarfile.open(given.output, "w", format=tarfile.GNU_FORMAT) as tar:
        for name in ("blobs", "blobs/sha256"):
            info = owned(tarfile.TarInfo(name), seconds)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(info)
        for name, data in sorted(files.items()):
            info = owned(tarfile.TarInfo(name), seconds)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


main()
