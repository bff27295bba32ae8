/** What tools and looks may use of the machine, for one conversation. */
import type { LookDeps } from '../languages/look-deps.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Pauses } from '../lib/pieces.ts';
import type { Redactor } from '../llm/secrets/redactor.ts';
import type { Policy } from '../policy/policy.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { World } from '../round/world.ts';
import { findProgram, hiding } from '../run/tool-context.ts';
import { traitsOf } from '../schema/driver.ts';
import { isInView } from '../steps/shown.ts';
import type { GivenFile, Tool, ToolContext } from '../tools/contract.ts';
import type { ChatContext } from './chat-context.ts';

const LEAST_RESULT = 1500;

interface Place {
  readonly journal: ChatContext;
  /** Absolute real path. */
  readonly workspace: string;
  readonly processes: SystemProcesses;
  readonly fs: FileSystem;
  readonly policy: Pick<Policy, 'mayShow'>;
  readonly inPieces: Pauses;
  /** `null` where turns are played back, as they were recorded. */
  readonly redactor: Redactor | null;
  readonly tools: readonly Tool[];
  /** Bytes of what one program prints. */
  readonly maxKeptBytes: number;
}

export const chatToolContext = (place: Place): ToolContext => {
  const { journal, workspace, processes, fs, policy, inPieces, redactor, tools, maxKeptBytes } =
    place;
  const reader = tools.find(({ readsOn }) => readsOn !== undefined);
  return {
    ...{ inPieces, workspace, fs, processes, maxKeptBytes },
    lastKnownHash: (path) => journal.state.files[path]?.hash,
    given: (path) => givenFile(journal, path),
    ...(redactor === null ? {} : hiding(redactor)),
    mayShow: (path) => policy.mayShow(path),
    mayInstall: true,
    keepBlob: (bytes) => journal.journal.blobs.keep(bytes),
    get maxResultChars() {
      return resultChars(journal);
    },
    readBefore: (path, hash) => readBefore(journal, path, hash),
    readOn: (id, from) =>
      journal.state.settings?.calling === 'wire' ? (reader?.readsOn?.(id, from) ?? '') : '',
    keptOutput: (id) => keptOutput(journal, id),
  };
};

function resultChars({ state: { settings } }: ChatContext): number {
  const { most, perToken } = traitsOf(settings).results;
  const wanted = settings?.maxToolResultChars ?? most;
  return Math.round(Math.min(wanted, Math.max(LEAST_RESULT, (settings?.numCtx ?? 0) * perToken)));
}

/** A model that writes its calls as text asks again for what it does not see any more. */
function readBefore({ state }: ChatContext, path: string, hash: string): string | null {
  if (state.settings?.calling !== 'wire') return null;
  const isShown = state.conversation.some(
    ({ cause, shows }) =>
      cause === 'tool_result' &&
      shows?.some(
        (one) =>
          one.path === path &&
          one.hash === hash &&
          one.from === undefined &&
          one.base === undefined,
      ),
  );
  return isShown ? '' : null;
}

/** What was replaced since was kept as its before-image. */
function givenFile({ state, journal }: ChatContext, path: string): GivenFile | null {
  const { given = null, withheld = null } = state.files[path] ?? {};
  if (given === null) return null;
  const bytes = journal.blobs.has(given) ? journal.blobs.read(given) : null;
  return { bytes, withheld, isInView: isInView({ ...state, active: null }, path), mayInsist: true };
}

/** A blob that is gone with its disk is as none. */
function keptOutput({ state, journal }: ChatContext, id: string | undefined) {
  const outputs = state.outputs ?? [];
  const kept = id === undefined ? outputs.at(-1) : outputs.find((one) => one.id === id);
  if (!kept || !journal.blobs.has(kept.blob)) return null;
  return { id: kept.id, text: journal.blobs.read(kept.blob).toString('utf8') };
}

/** What the looks at written files need. */
export const chatLookDeps = (
  { workspace, processes }: Pick<Place, 'workspace' | 'processes'>,
  { world, runtime, signal }: { world: World; runtime: string; signal: AbortSignal },
): LookDeps => ({
  workspace,
  readText: (path) => world.readText(path),
  exists: (path) => world.exists(path),
  processes,
  program: (name) => findProgram(name, processes.outside),
  runtime,
  env: processes.outside.environment(),
  planned: [],
  signal,
});
