/**
 * Commands of Node and Python that were run before in this process, on the very same files: what they said and how
 * they ended is told again. Whole runs play the same few commands on the same few files hundreds of times, and to
 * start a program takes longer than all the rest of a run.
 *
 * 1. The first one of each is real, and so is each one that changed a file, ran out of time or was stopped.
 * 2. A command is another one with another byte in its folder, argument, input or variable.
 */
import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { layoutOf } from '../../src/journal/layout.ts';
import type {
  Processes,
  ProcessHooks,
  ProcessOutcome,
  ProcessRequest,
} from '../../src/processes/contract.ts';

interface Ran {
  readonly outcome: ProcessOutcome;
  readonly isSame: boolean;
}

const ran = new Map<string, Promise<Ran>>();

/** No process has it. */
const NO_PID = 2 ** 30;
/** Stands for the workspace, which is another one in each run. */
const HERE = '\0workspace';
/** What Python puts beside the files it reads. */
const CACHES = /^(?:__pycache__|\.(?:pytest|ruff)_cache)$/;
const PROGRAMS = /^(?:node|npm|python[\d.]*)(?:\.exe)?$/;

export const runningOnce =
  (run: Processes['run'], workspace: string): Processes['run'] =>
  async (request, hooks) => {
    if (!PROGRAMS.test(basename(request.program ?? request.file))) return run(request, hooks);
    const key = keyOf(request, workspace);
    if (key === null) return run(request, hooks);
    const known = await ran.get(key)?.catch(() => null);
    if (known?.isSame && known.outcome.durationMs < request.timeoutMs && !hooks.signal.aborted)
      return toldAgain(known.outcome, hooks, workspace);
    const running = run(request, hooks).then((outcome) => ({
      outcome: written(outcome, workspace, HERE),
      isSame: outcome.kind === 'exited' && keyOf(request, workspace) === key,
    }));
    ran.set(key, running);
    return written((await running).outcome, HERE, workspace);
  };

function toldAgain(outcome: ProcessOutcome, hooks: ProcessHooks, workspace: string) {
  hooks.onSpawn?.(NO_PID, '');
  const here = written(outcome, HERE, workspace);
  if (here.output !== '') hooks.onOutput(here.output);
  return here;
}

const written = <Value>(value: Value, from: string, to: string): Value => {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return JSON.parse(JSON.stringify(value).replaceAll(inJson(from), inJson(to)));
};

/** Takes a text from its input and looks at nothing else. */
const isLook = ({ args, stdin }: ProcessRequest): boolean =>
  stdin !== undefined && ((args[0] === '--check' && args.at(-1) === '-') || args[0] === '-I');

/** `null`: what it depends on is gone. */
function keyOf(request: ProcessRequest, workspace: string): string | null {
  try {
    return isLook(request)
      ? JSON.stringify([request.file, request.args, request.stdin])
      : keyOfCommand(request, workspace);
  } catch {
    return null;
  }
}

function keyOfCommand(request: ProcessRequest, workspace: string): string {
  const { timeoutMs: _, ...asked } = request;
  const hash = createHash('sha256');
  hash.update(JSON.stringify(written(asked, workspace, HERE)));
  const { root, scratch } = layoutOf(workspace);
  hashBelow(workspace, hash, basename(root));
  // A file in the copy is none in the folder.
  hash.update('copy');
  if (request.cwd.startsWith(scratch)) hashBelow(scratch, hash);
  return hash.digest('hex');
}

function hashBelow(folder: string, hash: Hash, leftOut?: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    if (name === leftOut || CACHES.test(name)) continue;
    const path = join(folder, name);
    hash.update(JSON.stringify([name, entry.isDirectory(), entry.isFile()]));
    if (entry.isDirectory()) hashBelow(path, hash);
    else if (entry.isFile()) hash.update(readFileSync(path));
    else if (entry.isSymbolicLink()) hash.update(readlinkSync(path));
    hash.update('\0');
  }
}
