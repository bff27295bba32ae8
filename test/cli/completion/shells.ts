/** Shells that are really started: each is asked what it would offer for a command line. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Stands for the program: writes down what it was asked, and answers what the test says. */
const AGENT = `#!/bin/sh
printf '%s\\0' "$@" > "$ASKED"
cat "$ANSWER"
`;

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

  /**
   * @param words of the command line; the last one is completed
   * @param answer of the program, by the words that it was asked with
   */
  async offers(
    shell: Shell,
    script: string,
    words: readonly string[],
    answer: string,
    env: { readonly [name: string]: string } = {},
  ): Promise<{ readonly asked: readonly string[]; readonly found: readonly string[] }> {
    const folder = mkdtempSync(join(tmpdir(), 'completion-script-'));
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('script.ps1'), script);
    writeFileSync(at('answer'), answer);
    writeFileSync(at('agent'), AGENT, { mode: 0o755 });
    try {
      const line = words.map((word) => (/ /.test(word) ? `'${word}'` : word)).join(' ');
      const program = asked(shell, at('script.ps1'), words, line);
      const { stdout, stderr } = await execa(PROGRAM[shell], program, {
        cwd: this.cwd,
        env: {
          ...{ SCRIPT: at('script.ps1'), LINE: line, ASKED: at('asked'), ANSWER: at('answer') },
          PATH: `${folder}${delimiter}${process.env.PATH}`,
          ...env,
        },
        stripFinalNewline: false,
      });
      if (stderr !== '') throw new Error(stderr);
      const found = stdout.split('\0').filter((word) => word.trim() !== '');
      return {
        asked: readFileSync(at('asked'), 'utf8').split('\0').slice(0, -1),
        found: found.map((word) => word.replace(/^--[a-z-]+=|(?<=.)\/$/g, '')).sort(),
      };
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
