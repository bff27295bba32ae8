/** Shells that are really started: each is asked what it would offer for a command line. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import type { Shell } from '../../../src/options/commands.ts';

const PROGRAM: { readonly [Name in Shell]: string } = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  powershell: 'pwsh',
};

/** On Windows a `bash` may be another system's. */
export const isThere = (shell: Shell): boolean =>
  process.platform !== 'win32' &&
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, PROGRAM[shell])));

/** The parts of zsh that only a line editor has, as far as these scripts use them. */
const ZSH = `
compdef() { : }
compset() { PREFIX=\${PREFIX#*=} }
compadd() { print -rN -- \${(M)offered:#\${(b)PREFIX}*} }
_files() { if [[ $1 == -/ ]]; then print -rN -- \${PREFIX}*(/N); else print -rN -- \${PREFIX}*(N); fi }
source "$1"; shift
words=("$@"); CURRENT=$#words; PREFIX=$words[CURRENT]
_agent
exit 0
`;

const BASH = `
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_agent_completion
((\${#COMPREPLY[@]})) && printf '%s\\0' "\${COMPREPLY[@]}"
exit 0
`;

const FISH = `source $argv[1]; complete -C $argv[2] | string replace -r '\\t.*' '' | string join0; true`;

const PWSH = `. $env:SCRIPT; $line = $env:LINE
$found = TabExpansion2 -inputScript $line -cursorColumn $line.Length
$found.CompletionMatches | ForEach-Object { [Console]::Write("$($_.CompletionText)\`0") }`;

/** A folder with `folder` and `folder.txt` in it. */
export class Shells {
  readonly cwd = mkdtempSync(join(tmpdir(), 'completion-'));

  constructor() {
    mkdirSync(join(this.cwd, 'folder'));
    writeFileSync(join(this.cwd, 'folder.txt'), '');
  }

  remove(): void {
    rmSync(this.cwd, { recursive: true, force: true });
  }

  /** @param words of the command line; the last one is completed */
  async offers(
    shell: Shell,
    script: string,
    words: readonly string[],
    env: { readonly [name: string]: string } = {},
  ): Promise<readonly string[]> {
    const folder = mkdtempSync(join(tmpdir(), 'completion-script-'));
    const file = join(folder, 'script.ps1');
    writeFileSync(file, script);
    try {
      const line = words.map((word) => (/ /.test(word) ? `'${word}'` : word)).join(' ');
      const { stdout, stderr } = await execa(PROGRAM[shell], asked(shell, file, words, line), {
        cwd: this.cwd,
        env: { SCRIPT: file, LINE: line, ...env },
        stripFinalNewline: false,
      });
      if (stderr !== '') throw new Error(stderr);
      const found = stdout.split('\0').filter((word) => word.trim() !== '');
      return found.map((word) => word.replace(/^--[a-z-]+=|(?<=.)\/$/g, '')).sort();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function asked(shell: Shell, file: string, words: readonly string[], line: string) {
  switch (shell) {
    case 'bash':
      return ['--noprofile', '--norc', '-c', BASH, 'bash', file, ...words];
    case 'zsh':
      return ['-f', '-c', ZSH, 'zsh', file, ...words];
    case 'fish':
      return ['--no-config', '-c', FISH, file, line];
    case 'powershell':
      return ['-NoProfile', '-NonInteractive', '-Command', PWSH];
    default:
      return shell satisfies never;
  }
}
