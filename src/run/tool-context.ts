/** What tools and looks may use of the machine, for one run. */
import { isAbsolute, join, relative } from 'node:path';
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { LookDeps } from '../languages/look-deps.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Redactor } from '../llm/secrets/redactor.ts';
import type { Policy } from '../policy/policy.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { World } from '../round/world.ts';
import { traitsOf } from '../schema/driver.ts';
import { plannedFiles } from '../schema/plan.ts';
import { isInView } from '../steps/shown.ts';
import type { GivenFile, ToolContext } from '../tools/contract.ts';
import { decodeText } from '../workspace/text-encoding.ts';

/** Characters of a tool's result that the model sees: a share of its window, bounded. */
const RESULT_CHARS = { least: 1500, most: 8000, perToken: 0.4 };

interface Place {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
  readonly processes: SystemProcesses;
}

/**
 * @param firstWindow in tokens, until the run has settings
 * @param redactor `null` where turns are played back, as they were recorded
 */
export const toolContextOf = (
  { context, workspace, processes, policy }: Place & { readonly policy: Pick<Policy, 'mayShow'> },
  fs: FileSystem,
  firstWindow: number,
  redactor: Redactor | null,
): ToolContext => ({
  workspace,
  fs,
  processes,
  lastKnownHash: (path) => context.state.files[path]?.hash,
  // What comes back was there before: nothing is lost by it.
  given: (path) => (context.state.round?.origin === 'put_back' ? null : givenFile(context, path)),
  ...(redactor === null ? {} : hiding(redactor)),
  mayShow: (path) => policy.mayShow(path),
  keepBlob: (bytes) => context.journal.blobs.keep(bytes),
  get maxResultChars() {
    const { settings } = context.state;
    return resultChars(settings?.numCtx ?? firstWindow);
  },
});

const hiding = (redactor: Redactor): Pick<ToolContext, 'keyRefusal' | 'withoutKeys'> => ({
  keyRefusal: (before, after) =>
    redactor.refusal(before === null ? '' : textIn(before), textIn(after)),
  withoutKeys: (text) => redactor.text(text),
});

/** Whatever the encoding: a key is plain letters in each. */
function textIn(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? decoded.text : Buffer.from(bytes).toString('latin1');
}

/** What was replaced since was kept as its before-image. */
function givenFile({ state, journal }: ContextManager, path: string): GivenFile | null {
  const { given = null, withheld = null } = state.files[path] ?? {};
  if (given === null) return null;
  const bytes = journal.blobs.has(given) ? journal.blobs.read(given) : null;
  const { mayInsist } = traitsOf(state.settings);
  return { bytes, withheld, isInView: isInView(state, path), mayInsist };
}

const resultChars = (numCtx: number): number =>
  Math.round(
    Math.max(RESULT_CHARS.least, Math.min(RESULT_CHARS.most, numCtx * RESULT_CHARS.perToken)),
  );

/** True when a tool of the run wrote at or below an absolute folder. */
export const hasWritten =
  ({ context, workspace }: Pick<Place, 'context' | 'workspace'>) =>
  (folder: string): boolean =>
    Object.entries(context.state.files).some(
      ([path, file]) => file.written && isBelow(join(workspace, path), folder),
    );

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

/** What the looks at written files need; the planned files change with the plan. */
export const lookDepsOf = (
  { context, workspace, processes }: Place,
  { world, runtime, signal }: { world: World; runtime: string; signal: AbortSignal },
): LookDeps => ({
  workspace,
  readText: (path) => world.readText(path),
  exists: (path) => world.exists(path),
  processes,
  program: (name) => findProgram(name, processes),
  runtime,
  env: processes.programs.environment(),
  planned: plannedFiles(context.state.plan),
  signal,
});

async function findProgram(name: string, processes: SystemProcesses): Promise<string | null> {
  const found = await processes.programs.find(name);
  return found.kind === 'found' && found.prefix.length === 0 ? found.file : null;
}
