/** Puts an open conversation together from its journal, a model and a machine. */
import { pausesOf } from '../lib/pieces.ts';
import { startOf } from '../policy/start.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import { worldOf } from '../round/world.ts';
import type { ChosenModel } from '../run/choose-model.ts';
import { foldersOf } from '../run/folders-of.ts';
import { leftAnswers } from '../run/left-answers.ts';
import { policiesOf } from '../run/permissions.ts';
import type { WallFound } from '../run/wall.ts';
import { processesBehind } from '../run/walls.ts';
import type { SessionEvent } from '../schema/events.ts';
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool } from '../tools/contract.ts';
import { builtinTools } from '../tools/registry.ts';
import { insteadOf } from '../tools/toolset.ts';
import { keeperOf } from '../undo/before-images.ts';
import { watchHooks } from '../workspace/git-hooks.ts';
import { type ChatContext, SpokenMessages } from './chat-context.ts';
import type { LiveSession } from './live-session.ts';
import type { OpenedSession } from './open-journal.ts';
import type { SessionRequest } from './options.ts';
import { chatLookDeps, chatToolContext } from './tool-context.ts';

/** Verbs of a run: a conversation has no plan and no subtasks, and nothing in the background. */
const OF_RUNS: ReadonlySet<unknown> = new Set(['ends_subtasks', 'sets_plan', 'gives_up']);

export interface Parts {
  readonly opened: OpenedSession;
  readonly request: SessionRequest;
  readonly model: ChosenModel;
  /** Absolute real path. */
  readonly workspace: string;
  readonly journal: ChatContext;
  /** Of servers, and of the program that embeds this one. */
  readonly toolsBeside: readonly Tool[];
  readonly wall: WallFound;
}

export function assemble({
  opened,
  request,
  model,
  workspace,
  journal,
  toolsBeside,
  wall,
}: Parts): LiveSession {
  const { run } = request;
  const { machine, signal, redactor, deadlines, lessons } = run;
  const { fs, clock, nodePath: runtime } = machine;
  const tell = (event: SessionEvent): void => journal.tell(event);
  const folders = foldersOf({ context: contextOf(journal), workspace }, run);
  const behind = { machine, workspace, folders, policy: () => policy };
  const { processes, isWalled } = processesBehind(wall, behind);
  const tools = [...builtinFor(request, processes), ...toolsBeside];
  const world = worldOf(fs, workspace);
  const policyFor = policiesOf({ context: stateFor(journal) }, run, {
    ...{ insteadOf: insteadOf(tools), world, isWalled },
  });
  const policy = policyFor(workspace);
  const inPieces = pausesOf(clock, signal);
  return {
    context: journal,
    spoken: new SpokenMessages(journal),
    ...{ request, workspace, tools, world, clock, policy },
    ...{ deadlines, lessons, redactor, signal, failover: model.failover },
    definitions: definitionsOf(journal),
    toolContext: chatToolContext({
      ...{ journal, workspace, processes, fs, policy, inPieces, tools },
      redactor: model.info.isPlayed ? null : redactor,
      maxKeptBytes: run.keptOutput.command,
    }),
    keeper: keeperOf({
      context: journal,
      ...{ workspace, fs, clock, pointer: null },
      emit: (event) => {
        if (event.type === 'notice') tell(event);
      },
    }),
    hooks: watchHooks(fs, workspace),
    asking: askingOf(opened, request, journal.state.run),
    findProgram: (program) => processes.programs.find(program),
    lookDeps: () => chatLookDeps({ workspace, processes }, { world, runtime, signal }),
    ...{ outside: processes.outside, findOutside: processes.outside.find, folders },
    tell,
  };
}

function builtinFor(
  { hasBuiltinTools }: Pick<SessionRequest, 'hasBuiltinTools'>,
  { programs }: SystemProcesses,
): readonly Tool[] {
  if (!hasBuiltinTools) return [];
  return builtinTools({ programs, startOf }).filter(
    ({ does, needs }) => !OF_RUNS.has(does) && needs?.background !== true,
  );
}

function askingOf(
  { layout }: OpenedSession,
  { run, place: { fs } }: SessionRequest,
  session: string,
): LiveSession['asking'] {
  const { origin } = run;
  return {
    person: run.ask,
    isYes: run.yes,
    left: leftAnswers({ fs, folder: layout.answers, run: session, origin }),
    isOwn: (answer) => origin.isOwnGrant(session, answer),
    keep: run.keepRules,
  };
}

/** The rules of a run depend on its state; those of a conversation on the same things. */
const stateFor = (journal: ChatContext) => ({
  get state() {
    const { state } = journal;
    return { ...state, goal: '' };
  },
});

const contextOf = (journal: ChatContext): Parameters<typeof foldersOf>[0]['context'] => {
  const context = stateFor(journal);
  return {
    get state() {
      return context.state;
    },
    journal: journal.journal,
    record: (one) => journal.record(one),
  };
};

function definitionsOf(journal: ChatContext): () => readonly ToolDefinition[] {
  let read: { readonly from: unknown; readonly definitions: readonly ToolDefinition[] } | null =
    null;
  return () => {
    const from = journal.state.settings?.tools ?? '[]';
    if (read?.from !== from)
      read = { from, definitions: JSON.parse(journal.textOf(from)) as readonly ToolDefinition[] };
    return read.definitions;
  };
}
