/** `agent update`: says how the program was installed and what updates it; runs nothing without a yes. */
import { existsSync } from 'node:fs';
import { misuse } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { ProcessHooks, ProcessOutcome, ProcessRequest } from '../../processes/contract.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { printJson, wantsJson } from '../commands/print.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { commandToPaste } from '../process/program-name.ts';
import type { Terminal } from '../process/terminal.ts';
import { isYes } from '../questions/is-yes.ts';
import { printFolded } from '../render/text/fold.ts';
import { inLine } from '../render/text/text.ts';

const CHECK_MS = 30_000;
const INSTALL_MS = 600_000;
const MAX_BYTES = 64_000;

export async function updateCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const installed = howInstalled(terminal, existsSync);
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted);
  try {
    const { signal } = interrupt;
    const newest = invocation.check === true ? await newestVersion(context, signal) : null;
    show(context, installed, newest);
    if (newest?.version === terminal.version || !(await mayRun(context, installed))) return 0;
    return await run(context, installed, signal);
  } finally {
    interrupt.dispose();
  }
}

interface Newest {
  readonly version: string | null;
  /** Why the version is unknown; '' if it is known. */
  readonly why: string;
}

function show(context: CommandContext, installed: Installed, newest: Newest | null): void {
  const { terminal } = context;
  const { version, stdout } = terminal;
  const commands = installed.commands.map((words) => words.join(' '));
  if (wantsJson(context)) {
    const { how, folder } = installed;
    const found = newest === null ? {} : { newest: newest.version };
    printJson(context, { version, how, folder, commands, ...found });
    return;
  }
  const where = installed.folder === null ? '' : ` (in ${installed.folder})`;
  const lines = [
    `Version ${version}. It is ${installed.about}.`,
    ...(newest === null ? [] : [newestText(newest, version)]),
    ...(commands.length === 0 ? [installed.advice] : [`To update it${where}:`]),
    ...commands.map((command) => `  ${command}`),
    ...(newest === null
      ? [`To look for a newer one: ${commandToPaste(terminal, ['update', '--check'])}`]
      : []),
  ];
  printFolded(stdout, `${lines.map(inLine).join('\n')}\n`);
}

function newestText({ version, why }: Newest, own: string): string {
  if (version === null) return `The newest version is unknown: ${why}.`;
  return version === own ? 'It is the newest version.' : `The newest version is ${version}.`;
}

/** Asks npm's registry through npm, with the address and key that npm is configured with. */
async function newestVersion(context: CommandContext, signal: AbortSignal): Promise<Newest> {
  const unknown = (why: string): Newest => ({ version: null, why });
  const how = { timeoutMs: CHECK_MS, maxStreamBytes: MAX_BYTES };
  const ended = await npm(context, VIEW, how, { signal, onOutput: () => {} });
  if (ended === null) return unknown('npm is not installed');
  const { kind, exitCode, output, streams } = ended;
  if (kind !== 'exited') return unknown(`npm gave no answer (${kind})`);
  const version = (streams?.stdout.text ?? output).trim();
  if (exitCode === 0 && /^\d+\.\d+\.\d+\S*$/.test(version)) return { version, why: '' };
  const code = /\bE[A-Z0-9]{2,}\b/.exec(output)?.[0];
  return unknown(
    code === 'E404' ? 'npm knows no such package' : `npm ended with ${code ?? exitCode}`,
  );
}

/** `null`: npm is not installed. */
async function npm(
  { engine, invocation, terminal }: CommandContext,
  args: readonly string[],
  how: Pick<ProcessRequest, 'timeoutMs' | 'maxStreamBytes'>,
  hooks: ProcessHooks,
): Promise<ProcessOutcome | null> {
  const programs = await engine.programs(invocation.workspace);
  const found = await programs.outside.find('npm');
  if (found.kind !== 'found') return null;
  const own = { file: found.file, args: [...found.prefix, ...args], cwd: terminal.programFolder };
  const env = programs.outside.environment();
  return await programs.run({ ...own, env, maxOutputBytes: MAX_BYTES, ...how }, hooks);
}

/** Only a global npm package is updated by one command; any other installation is the person's to change. */
async function mayRun(
  { invocation, terminal }: CommandContext,
  { how }: Installed,
): Promise<boolean> {
  if (how !== 'global') return false;
  if (invocation.yes === true) return true;
  if (invocation.json === true || !terminal.stdinIsTerminal || !terminal.stderr.isTerminal)
    return false;
  const answer = await terminal.ask('Run it now? [y/N] ');
  return isYes(answer);
}

async function run(
  context: CommandContext,
  { commands: [words = []] }: Installed,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = context.terminal;
  const onOutput = (text: string) => stderr.write(text);
  const how = { timeoutMs: INSTALL_MS };
  const ended = await npm(context, words.slice(1), how, { signal, onOutput });
  if (ended === null)
    throw misuse('npm was not found.', 'Install it, and then type the command above.');
  if (signal.aborted) return EXIT.interrupted;
  const { exitCode, kind } = ended;
  const why = exitCode === null ? kind : `exit code ${exitCode}`;
  if (exitCode !== 0)
    throw misuse(`npm could not update it (${why}).`, 'Type the command above yourself.');
  printFolded(stdout, 'Updated.\n');
  return 0;
}

const PACKAGE = 'tardigrade-agent';
const NEWEST = `${PACKAGE}@latest`;

interface Installed {
  readonly how: 'npx' | 'global' | 'project' | 'clone' | 'file';
  /** A phrase that follows "It is". */
  readonly about: string;
  /** The commands that update it, each as words; none if there is no command. */
  readonly commands: readonly (readonly string[])[];
  /** The folder to run them in; `null`: any. */
  readonly folder: string | null;
  /** What to do if no command updates the installation. */
  readonly advice: string;
}

/**
 * Judges by its location how this program was installed and what updates it. @param isThere true if a path
 * exists
 */
export function howInstalled(
  { programFolder, single, platform }: Pick<Terminal, 'programFolder' | 'single' | 'platform'>,
  isThere: (path: string) => boolean,
): Installed {
  const { join, dirname, basename, sep } = pathsOf(platform);
  const anywhere = { commands: [], folder: null, advice: '' };
  if (single !== undefined) {
    const advice = 'Replace the file with a newer one while it is not running.';
    return { ...anywhere, how: 'file', about: `one file, ${single.file}`, advice };
  }
  const own = dirname(join(programFolder, '.'));
  const around = dirname(own);
  if (programFolder.includes(`${sep}_npx${sep}`))
    return { ...anywhere, how: 'npx', about: 'started by npx', commands: [['npx', NEWEST]] };
  if (basename(around) !== 'node_modules') {
    const pull = isThere(join(own, '.git')) ? [['git', 'pull']] : [];
    const commands = [...pull, ['npm', 'ci'], ['npm', 'run', 'build']];
    return { ...anywhere, how: 'clone', about: `a clone, in ${own}`, folder: own, commands };
  }
  const project = dirname(around);
  if (isThere(join(project, 'package.json'))) {
    const about = `a package of the project ${project}`;
    const commands = [['npm', 'install', NEWEST]];
    return { ...anywhere, how: 'project', about, folder: project, commands };
  }
  const commands = [['npm', 'install', '--global', NEWEST]];
  return { ...anywhere, how: 'global', about: `a global package of npm, in ${own}`, commands };
}

const VIEW = ['view', PACKAGE, 'version'] as const;
