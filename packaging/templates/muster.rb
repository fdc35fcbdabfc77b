# SPDX-License-Identifier: Apache-2.0
# Not verified: never tried with a published release.
class Muster < Formula
  desc "Find AI accelerators, plan models on them, watch them"
  homepage "HOME"
  url "HOME/releases/download/vVERSION/muster-VERSION-linux-x64.tar.xz"
  sha256 "SHA256"
  license all_of: ["Apache-2.0", "MIT", { "GPL-2.0-only" => { with: "Classpath-exception-2.0" } }]
  depends_on arch: :x86_64
  depends_on :linux

  def install
    libexec.install "lib/muster" => "muster"
    bin.install_symlink libexec/"muster/muster"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/muster"
    zsh_completion.install "share/zsh/site-functions/_muster"
    fish_completion.install "share/fish/vendor_completions.d/muster.fish"
    doc.install Dir["share/doc/muster/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/muster version")
  end
end
