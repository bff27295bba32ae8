/** What the tools and file inspections of one run may use of the machine. */

import type { ContextManager } from '../../context-manager/context-manager.ts';
import { driverOf } from '../../drivers/driver-of.ts';
import type { InspectionDeps } from '../../languages/files/inspection.ts';
import { variablesInCopy } from '../../languages/languages.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import type { Redactor } from '../../llm/secrets/redactor.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Programs, SystemProcesses } from '../../processes/system-processes.ts';
import type { World } from '../../round/files/world.ts';
import type { RunState } from '../../schema/state.ts';
import { goalOf } from '../../schema/state-parts/goal-of.ts';
import type { ShownFile } from '../../schema/state-parts/shown-file.ts';
import { isInView } from '../../steps/shown.ts';
import type { BackgroundPrograms } from '../../tools/commands/background.ts';
import type { OriginalFile, ToolContext } from '../../tools/contract.ts';
import { withoutRepositoryAround } from '../../workspace/git-around.ts';
import { decodeText } from '../../workspace/text-encoding.ts';

/** Characters of a tool result that the model sees with the smallest window. */
const MIN_RESULT = 1500;

interface ToolContextPorts {
  readonly context: ContextManager;
  /** Absolute real path. */
  readonly workspace: string;
  readonly processes: SystemProcesses;
}

/**
 * @param firstWindow in tokens, until the run has settings
 * @param readOn tells the model how to read on in a cut result; `null` if it cannot
 * @param redactor `null` when recorded turns are replayed
 */
export const toolContextOf = (
  {
    context,
    workspace,
    processes,
    policy,
    clock,
    background,
    programHints,
  }: ToolContextPorts & {
    readonly programHints: Pick<ReadonlyMap<string, string>, 'get'>;
    readonly policy: Pick<Policy, 'mayShow'>;
    readonly clock: Clock;
    readonly background: BackgroundPrograms;
  },
  fs: FileSystem,
  firstWindow: number,
  redactor: Redactor | null,
  readOn: (id: string, from: number) => string | null,
  { maxOutputBytes, web, signal }: Required<Pick<ToolContext, 'maxOutputBytes' | 'web' | 'signal'>>,
): ToolContext => ({
  runInterruptibly: interruptibleRunner(clock, signal),
  maxOutputBytes,
  web,
  signal,
  ...(context.state.child === undefined ? {} : { variables: variablesOf(workspace, fs.platform) }),
  get background() {
    return driverOf(context.state.settings).leavesRunning ? background : undefined;
  },
  workspace,
  fs,
  processes,
  lastKnownHash: (path) => context.state.files[path]?.hash,
  // Restored content existed before, so nothing can be lost.
  originalOf: (path) =>
    context.state.round?.origin === 'put_back' ? null : originalFile(context, path),
  ...(redactor === null ? {} : hiding(redactor)),
  isNamed: (word) => new RegExp(`(?<!\\w)${word}(?!\\w)`).test(goalOf(context.state)),
  mayShow: (path) => policy.mayShow(path),
  insteadOf: (program) => programHints.get(program) ?? '',
  storeBlob: (bytes) => context.journal.blobs.keep(bytes),
  get maxResultChars() {
    return resultChars(context.state.settings, firstWindow);
  },
  readBefore: (path, hash) => readBefore(context, path, hash),
  readOn: (id, from) => readOn(id, from) ?? '',
  storedOutput: (id) => storedOutput(context, id),
});

/** The variables for a copy, where nothing around the folder belongs to it. */
const variablesOf = (workspace: string, platform: NodeJS.Platform) => ({
  ...variablesInCopy(workspace, platform),
  ...withoutRepositoryAround(workspace, platform),
});

/**
 * Where the run read the file's current content; only for free drivers: a guided run asks for a file when the
 * model has to see it.
 */
function readBefore(context: ContextManager, path: string, hash: string): string | null {
  const { conversation, settings } = context.state;
  if (!driverOf(settings).callsTools) return null;
  const isIt = ({ from, base, ...one }: ShownFile): boolean =>
    one.path === path && one.hash === hash && from === undefined && base === undefined;
  const shown = conversation.findLast(
    ({ cause, shows }) => cause === 'tool_result' && shows?.some(isIt),
  );
  if (!shown) return null;
  const record = context.readAny(shown.offset);
  const [subtask = ''] = record.type === 'action_finished' ? record.id.split('#') : [];
  return /^\d/.test(subtask) ? ` in subtask ${subtask}` : '';
}

/** A blob that was lost with its disk counts as missing. */
function storedOutput({ state, journal }: ContextManager, id: string | undefined) {
  const outputs = state.outputs ?? [];
  const kept = id === undefined ? outputs.at(-1) : outputs.find((one) => one.id === id);
  if (!kept || !journal.blobs.has(kept.blob)) return null;
  return { id: kept.id, text: journal.blobs.read(kept.blob).toString('utf8') };
}

const hiding = (redactor: Redactor): Pick<ToolContext, 'keyRefusal' | 'withoutKeys'> => ({
  keyRefusal: (before, after) =>
    redactor.refusal(before === null ? '' : textIn(before), textIn(after)),
  withoutKeys: (text) => redactor.text(text),
});

/** Works for every encoding, because a key consists of plain letters in each. */
function textIn(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? decoded.text : Buffer.from(bytes).toString('latin1');
}

/** Content that has been replaced since is kept as a before-image. */
function originalFile({ state, journal }: ContextManager, path: string): OriginalFile | null {
  const { baseline = null, rejected = null } = state.files[path] ?? {};
  if (baseline === null) return null;
  const bytes = journal.blobs.has(baseline) ? journal.blobs.read(baseline) : null;
  const { mayInsist } = driverOf(state.settings);
  return { bytes, withheld: rejected, isInView: isInView(state, path), mayInsist };
}

function resultChars(settings: RunState['settings'], firstWindow: number): number {
  const { most, perToken } = driverOf(settings).results;
  const wanted = settings?.maxToolResultChars ?? most;
  const share = Math.max(MIN_RESULT, (settings?.numCtx ?? firstWindow) * perToken);
  return Math.round(Math.min(wanted, share));
}

/** What inspecting written files needs. */
export const inspectionDepsOf = (
  { workspace, processes }: Pick<ToolContextPorts, 'workspace' | 'processes'>,
  { world, runtime, signal }: { world: World; runtime: string | null; signal: AbortSignal },
): InspectionDeps => ({
  workspace,
  readText: (path) => world.readText(path),
  exists: (path) => world.exists(path),
  processes,
  program: (name) => findProgram(name, processes.outside),
  runtime,
  // Computed on demand, because few inspections need it.
  get env() {
    return processes.outside.environment();
  },
  signal,
});

async function findProgram(name: string, { find }: Programs): Promise<string | null> {
  const found = await find(name);
  return found.kind === 'found' && found.prefix.length === 0 ? found.file : null;
}
