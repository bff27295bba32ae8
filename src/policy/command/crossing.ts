/** Programs that are useless without the network, or that work outside any workspace. Pure. */

const LEAVES_SANDBOX: ReadonlySet<string> = new Set(
  [
    'curl wget http https aria2c ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp ping dig nslookup host whois',
    'docker docker-compose podman buildah skopeo kubectl helm minikube kind vagrant',
    'gh glab hub aws gcloud gsutil az doctl heroku flyctl vercel netlify firebase wrangler terraform tofu pulumi ansible',
    'apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk snap flatpak brew port nix nix-env choco winget scoop',
    'gem bundle composer cpan cpanm luarocks conda mamba poetry pdm pipenv pipx uv yarn pnpm bun corepack nvm pyenv rustup',
    'psql mysql mongosh redis-cli sqlplus',
    'ollama open xdg-open',
  ].flatMap((line) => line.split(' ')),
);

export const leavesSandbox = (name: string): boolean => LEAVES_SANDBOX.has(name);
