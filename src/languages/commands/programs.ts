/** What the languages know about programs, in the form that the processes room needs. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { ProgramKnowledge } from '../../processes/programs/program-finder.ts';
import { LANGUAGES } from '../languages.ts';

/** Names of programs that certainly run no program in their arguments. */
const RUN_NO_OTHER = [
  // Reading tools, and the small tools that scripts use.
  'ls cat head tail wc nl cmp comm stat file du df tree cut uniq diff sort grep egrep fgrep zgrep rg ag ack fd locate which whereis type where',
  'pwd echo printf true false test printenv date basename dirname realpath readlink seq tr tee less more most man xxd od hexdump strings',
  'id whoami who hostname uname uptime ps top pgrep lsof md5sum sha1sum sha256sum sha512sum shasum cksum base64 jq yq column paste fold fmt',
  'cp mv rm ln mkdir rmdir touch chmod chown chgrp install dd truncate shred mktemp tar zip unzip gzip gunzip xz bzip2 zstd 7z patch ed vi vim nano emacs',
  'kill killall pkill sed awk gawk mawk dos2unix',
  // Version control.
  'git git-lfs gh glab hub hg svn bzr fossil jj tig',
  // Package managers of a system, or of a language.
  'pip gem brew port apt apt-get dpkg dnf yum rpm pacman apk snap flatpak winget choco scoop',
]
  .join(' ')
  .split(' ');

/**
 * The names, with those above, that are only looked up in PATH outside the workspace, even if one of its
 * folders declares them.
 */
const NAMES = [
  'find env',
  'xargs parallel timeout nice nohup time watch script setsid stdbuf sleep',
  // Shells, and programs that change privileges.
  'sh bash dash zsh fish ksh mksh csh tcsh ash busybox nu pwsh powershell cmd wsl sudo su doas pkexec runas chroot unshare bwrap firejail',
  // Other interpreters and their compilers.
  'python py pypy ipython node nodejs deno bun ruby perl php lua luajit tclsh wish java javac jshell kotlin scala groovy dotnet mono go gofmt rustc swift ghc ghci r rscript julia elixir erl osascript wscript cscript',
  'gcc g++ cc c++ clang clang++ ld as ar cpp gdb lldb make gmake cmake ninja meson bazel ant mvn gradle sbt',
  // Package managers, and programs that run what they fetch.
  'pipx pipenv poetry pdm uv uvx conda mamba micromamba hatch npm npx pnpm pnpx yarn yarnpkg corepack bunx cargo rustup bundle bundler composer nix asdf mise nvm volta fnm pyenv',
  // The network, containers, keys and clouds.
  'curl wget http https httpie xh aria2c ssh ssh-add ssh-agent ssh-keygen scp sftp rsync nc ncat netcat socat telnet ftp lftp ping dig nslookup host whois traceroute openssl gpg gpg2 pass',
  'docker docker-compose podman buildah nerdctl kubectl helm minikube vagrant ansible terraform aws gcloud az heroku vercel netlify flyctl',
  'mysql psql sqlite3 redis-cli mongo mongosh crontab systemctl service launchctl open xdg-open start explorer',
]
  .join(' ')
  .split(' ');

const KNOWN: ReadonlySet<string> = new Set([...RUN_NO_OTHER, ...NAMES]);
const ALONE: ReadonlySet<string> = new Set(RUN_NO_OTHER);

/** True for a program that runs no program in its arguments. */
export const runsNoOther = (name: string): boolean => ALONE.has(name);

/** Including names with a version: `python3.12`, `clang-18`. */
const onlyOnPath = (name: string): boolean => {
  const plain = name.toLowerCase();
  return KNOWN.has(plain) || KNOWN.has(plain.replace(/-?\d[\d.]*w?$/, ''));
};

const MACHINES = LANGUAGES.flatMap(({ machine }) => machine ?? []);

/** True for a path into a folder in which a language keeps programs: relative to the workspace, or absolute. */
export function isInProgramFolder(path: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const folder = paths.dirname(paths.normalize(path)).split(paths.sep).join('/');
  return PROGRAMS.programFolders(platform).some(
    ({ programs }) =>
      folder === programs || (paths.isAbsolute(path) && folder.endsWith(`/${programs}`)),
  );
}

export const PROGRAMS: ProgramKnowledge = {
  finders: MACHINES.map(({ find }) => find),
  runnerOf: (path) =>
    MACHINES.map((machine) => machine.runnerOf(path)).find((runner) => runner !== null) ?? null,
  startExample: MACHINES.toReversed()
    .flatMap(({ startExample }) => startExample ?? [])
    .join(' or '),
  quiet: Object.assign({}, ...MACHINES.map(({ quiet }) => quiet)),
  kept: MACHINES.flatMap(({ kept }) => kept),
  onlyOnPath,
  programFolders: (platform) => MACHINES.flatMap((machine) => machine.programFolders(platform)),
};

/** Programs that goals may need, each with what to do if it is missing. */
export const USEFUL_PROGRAMS = MACHINES.flatMap(({ usefulPrograms: wanted }) => wanted);

/** Files that steer the language's programs without being named. */
export const STEERING_FILES = MACHINES.flatMap(({ steering = [] }) => steering);
