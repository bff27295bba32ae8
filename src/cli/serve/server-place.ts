/** Provides the server with what it needs from the command line. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { userResources } from '../../host/user/user-resources.ts';
import { withoutCredentials } from '../../lib/text/addresses.ts';
import { redactor } from '../../llm/secrets/redactor.ts';
import { sandboxMode } from '../../options/option-values.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { notFound } from '../../processes/not-started.ts';
import type { Launch, ServerPlace } from '../../server/place.ts';
import { type CommandContext, withAccounts } from '../command-context.ts';
import { rootsOf } from '../fleet/roots.ts';
import { commandToPaste } from '../process/program-name.ts';
import type { Terminal } from '../process/terminal.ts';
import { COMMANDS_HERE, isAnswer } from './talk-commands.ts';

const MIN_RUNS = 2;

export async function serverPlace(context: CommandContext): Promise<ServerPlace> {
  const { terminal, engine, configured, invocation } = context;
  const { machine, dataFolder, keys } = userResources(withAccounts(context));
  const { text: withoutKeys } = redactor(keys);
  const { fs, identity } = machine;
  return {
    fs,
    identity,
    dataFolder,
    engine,
    maxRuns: invocation.maxRuns ?? Math.max(MIN_RUNS, availableParallelism()),
    sandbox: sandboxMode(configured.begin),
    roots: rootsOf(context),
    clock: terminal.clock,
    version: terminal.version,
    typed: (words) => commandToPaste(terminal, words),
    pageFolder: join(terminal.programFolder, 'page'),
    live: await engine.live(),
    commands: COMMANDS_HERE,
    isAnswer,
    random: randomBytes,
    withoutSecrets: (said) => withoutCredentials(withoutKeys(said)),
    launch: (work) => launch(terminal, work),
    keepError: (error) => {
      const log = engine.logError(invocation.workspace, error);
      return log === null ? 'The details could not be saved.' : `Details: ${log}`;
    },
  };
}

/** A process in a group of its own, so that it lives as long as its work. */
function launch(terminal: Terminal, { file, workspace, out, err, ended }: Launch): void {
  const [program = '', ...first] = terminal.self;
  const files = [openSync(out, 'a', 0o600), openSync(err, 'a', 0o600)] as const;
  try {
    const words = [...first, 'serve', longFlag(OPTIONS.workFile), file];
    const child = spawn(program, words, {
      cwd: workspace,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', ...files],
    });
    child.on('error', (error) => {
      const missing = notFound(error, { file: program, cwd: workspace });
      const why = missing === null ? error : new Error(missing, { cause: error });
      ended({ code: null, signal: null, error: why });
    });
    child.on('exit', (code, signal) => ended({ code, signal }));
    child.unref();
  } finally {
    for (const one of files) closeSync(one);
  }
}
