#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks copies of a staged repository, one rule each, and demands that central_rules.py sees it:
central_rules_alive.py REPOSITORY
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

RULES = pathlib.Path(__file__).with_name("central_rules.py")


def one(repository, artifact, suffix):
    return next(repository.glob(f"dev/muster/{artifact}/*/{artifact}-*{suffix}"))


def write(path, content):
    """Sums fit, so that only the rule in question is broken; the signature cannot."""
    path.write_bytes(content)
    path.with_name(path.name + ".md5").write_text(hashlib.md5(content).hexdigest(), encoding="ascii")
    path.with_name(path.name + ".sha1").write_text(hashlib.sha1(content).hexdigest(), encoding="ascii")


def replace_in_pom(artifact, old, new):
    def change(repository):
        path = one(repository, artifact, ".pom")
        text = path.read_text(encoding="utf-8")
        if old not in text:
            raise SystemExit(f"central-rules-alive: {path.name} has no '{old}'")
        write(path, text.replace(old, new).encode())

    return change


def delete(artifact, suffix):
    return lambda repository: one(repository, artifact, suffix).unlink()


def without_licence(suffix):
    def change(repository):
        path = one(repository, "muster-core", suffix)
        copy = path.with_suffix(".new")
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
            for entry in old.infolist():
                if entry.filename != "META-INF/LICENSE":
                    new.writestr(entry, old.read(entry))
        content = copy.read_bytes()
        copy.unlink()
        write(path, content)

    return change


def wrong_sum(repository):
    one(repository, "muster-core", ".jar.sha1").write_text("0" * 40, encoding="ascii")


def foreign_signature(repository):
    shutil.copy(one(repository, "muster-plan", ".pom.asc"), one(repository, "muster-core", ".pom.asc"))


def bench_too(repository):
    folder = one(repository, "muster-core", ".pom").parent
    copy = repository / "dev/muster/muster-bench" / folder.name
    copy.mkdir(parents=True)
    for file in folder.iterdir():
        shutil.copy(file, copy / file.name.replace("muster-core", "muster-bench"))


CASES = (
    ("has no name", replace_in_pom("muster-core", "<name>Muster core</name>", "")),
    ("has no description", replace_in_pom("muster-core", "description>", "x>")),
    ("has no url", replace_in_pom("muster-core", "url>", "x>")),
    ("has no licenses/license/name", replace_in_pom("muster-core", "license>", "x>")),
    ("has no developers/developer/name", replace_in_pom("muster-core", "developer>", "x>")),
    ("has no scm/connection", replace_in_pom("muster-core", "connection>", "x>")),
    ("has a parent", replace_in_pom("muster-core", "<name>", "<parent/><name>")),
    ("has no fixed version of", replace_in_pom("muster-plan", "<version>", "<version>${x}")),
    ("is a snapshot", replace_in_pom("muster-core", "</version>", "-SNAPSHOT</version>")),
    ("names muster-mesh, which is not there", lambda r: shutil.rmtree(r / "dev/muster/muster-mesh")),
    ("does not name muster-mesh", replace_in_pom("muster-bom", "muster-mesh", "muster-plan")),
    ("is for this tree alone", bench_too),
    ("-sources.jar: is missing", delete("muster-core", "-sources.jar")),
    ("-javadoc.jar: is missing", delete("muster-core", "-javadoc.jar")),
    (".asc: is missing", delete("muster-core", "-javadoc.jar.asc")),
    (".md5: is missing", delete("muster-core", ".pom.md5")),
    ("is not the sum of its file", wrong_sum),
    ("does not verify", foreign_signature),
    ("[0-9].jar: has no META-INF/LICENSE", without_licence("[0-9].jar")),
    ("-sources.jar: has no META-INF/LICENSE", without_licence("-sources.jar")),
    ("-javadoc.jar: has no META-INF/LICENSE", without_licence("-javadoc.jar")),
)


def main(repository):
    failed = 0
    for expected, change in CASES:
        with tempfile.TemporaryDirectory() as work:
            copy = pathlib.Path(work, "repository")
            shutil.copytree(repository, copy)
            change(copy)
            run = subprocess.run(
                [sys.executable, str(RULES), str(copy)], capture_output=True, text=True, timeout=300, check=False
            )
            seen = expected.replace("[0-9]", "")
            if run.returncode != 1 or seen not in run.stderr:
                failed += 1
                print(f"central-rules-alive: not seen: {seen}; said:\n{run.stderr}", file=sys.stderr)
    if not failed:
        print(f"central-rules-alive: {len(CASES)} broken copies, all of them seen")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: central_rules_alive.py REPOSITORY")
    sys.exit(main(sys.argv[1]))
