/** The state of a run or a conversation, folded from its events alone. */
import type { CommandResult } from '../../schema/events/outcome.ts';
import type { NotCovered } from '../../schema/evidence.ts';
import type { OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import type { TurnStatus, Usage } from '../../schema/model/turn.ts';
import type { Plan } from '../../schema/plan.ts';
import type { Red } from './label.ts';

/** How it stands, according to its own events. */
export type WorkStanding =
  | 'working'
  | 'waiting'
  | 'paused'
  | 'idle'
  | 'achieved'
  | 'answered'
  | 'unverified'
  | 'failed';

export type MarkName =
  | 'opened'
  | 'killed'
  | 'resumed'
  | 'paused'
  | 'finished'
  | 'tried_again'
  | 'model_switched'
  | 'shortened'
  | 'taken_back'
  | 'new_plan'
  | 'undone'
  | 'put_back'
  | 'asked'
  | 'answered'
  | 'notice';

interface EntryHead {
  /** The number of its journal record, or of the record before it. */
  readonly seq: number;
  /** The index of the entry. */
  readonly key: number;
  /** Milliseconds since 1970; 0: unknown. */
  readonly at: number;
  /** The active subtask; '': none. */
  readonly subtask: string;
}

export interface TurnEntry extends EntryHead {
  readonly kind: 'turn';
  readonly turn: number;
  readonly purpose: string;
  readonly target: string;
  readonly status: TurnStatus['kind'];
  readonly detail: string;
  readonly text: string;
  readonly thinking: string;
  readonly usage: Usage;
}

export interface ChangedFileRow {
  readonly path: string;
  readonly became: 'made' | 'changed' | 'removed';
  readonly added: number;
  readonly removed: number;
}

export interface ActionEntry extends EntryHead {
  readonly kind: 'action';
  readonly id: string;
  readonly name: string;
  /** The file, folder or command of the action. */
  readonly target: string;
  /** The arguments of the call, as the model wrote them. */
  readonly args: { readonly [name: string]: unknown };
  /** `running`, `unknown` if it was cut off, or how it ended. */
  readonly status: string;
  readonly content: string;
  readonly command: CommandResult | null;
  readonly ms: number | null;
  readonly files: readonly ChangedFileRow[];
  /** Why a command failed before the run had changed anything. */
  readonly failedBefore?: Red;
}

export interface CheckEntry extends EntryHead {
  readonly kind: 'check';
  readonly isProof: boolean;
  readonly when: 'before' | 'after' | '';
  readonly passed: boolean;
  /** The command that ran, or the condition that was checked. */
  readonly what: string;
  readonly text: string;
  readonly printed: string;
  /** How the copy of the folder differs, if it ran in one; otherwise ''. */
  readonly copy: string;
  /** The check ran in a copy without the work: a failure speaks for the work. */
  readonly isMeantToFail: boolean;
  /** The check was skipped, so it shows nothing. */
  readonly isSkipped: boolean;
  /** Why it failed; meaningless if it passed. */
  readonly red: Red;
  /** 0: none, or not counted. */
  readonly failedTests: number;
  readonly exitCode: number | null;
}

export interface SaidEntry extends EntryHead {
  readonly kind: 'said';
  readonly text: string;
}

export interface MarkEntry extends EntryHead {
  readonly kind: 'mark';
  readonly mark: MarkName;
  readonly text: string;
  readonly isWarning: boolean;
}

/** A slash command, and its output. */
export interface CommandEntry extends EntryHead {
  readonly kind: 'command';
  readonly line: string;
  readonly text: string;
}

export type WorkEntry = TurnEntry | ActionEntry | CheckEntry | SaidEntry | MarkEntry | CommandEntry;

/** What one subtask has cost so far. */
export interface Sum {
  readonly tokens: number;
  readonly turns: number;
  readonly actions: number;
  readonly added: number;
  readonly removed: number;
  /** Milliseconds of work at its start and at its end; time in which no process worked does not count. */
  readonly from: number;
  readonly to: number;
}

/** What a subtask that is a run of its own has used, by its last record. */
export type SubtaskRunUse = Pick<
  WatchedWork,
  'run' | 'usage' | 'turns' | 'costUsd' | 'unpricedTurns'
>;

export interface TurnNow
  extends Pick<TurnEntry, 'turn' | 'purpose' | 'target' | 'text' | 'thinking'> {
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  /** The percentage of the prompt that is read; left out if unknown. */
  readonly read?: number;
}

export interface ActionNow {
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** The end of its program's output. */
  readonly output: string;
}

export interface WatchedWork {
  readonly run: string;
  readonly number: number | null;
  readonly isConversation: boolean;
  /** The goal of a run, or the name of a conversation. */
  readonly title: string;
  readonly workspace: string;
  readonly model: string;
  readonly driver: string;
  /** The context window in tokens; 0: unknown. */
  readonly window: number;
  readonly standing: WorkStanding;
  /** The reason for its standing, in whole sentences. */
  readonly why: string;
  readonly hint: string;
  /** If it gave up: what a person would have to provide or do; otherwise ''. */
  readonly needs: string;
  readonly plan: Plan | null;
  /** Replaced plans, oldest first. */
  readonly formerPlans: readonly Plan[];
  readonly active: string;
  readonly sums: { readonly [subtask: string]: Sum };
  readonly children: { readonly [subtask: string]: SubtaskRunUse };
  readonly entries: readonly WorkEntry[];
  readonly turnNow: TurnNow | null;
  readonly actionNow: ActionNow | null;
  /** Why it waits before the next model request; ''. */
  readonly wait: string;
  /** The trial that is running at the end of a run; ''. */
  readonly trial: string;
  /** The questions as the journal records them; the process that works on the run knows more. */
  readonly questions: readonly OpenPermissionRequest[];
  readonly files: { readonly [path: string]: ChangedFileRow };
  /** Files that an undo restored, and files that it left alone. */
  readonly putBack: readonly string[];
  readonly leftAlone: readonly string[];
  /** What proves the goal, or why it is not proved. */
  readonly verdict: string;
  readonly isProved: boolean;
  /** The part of the work that the proof does not cover; `null`: unknown. */
  readonly beyond: NotCovered | null;
  readonly usage: Usage;
  /** Tokens of the last turn of the conversation. */
  readonly context: number;
  readonly costUsd: number;
  readonly unpricedTurns: number;
  readonly turns: number;
  readonly actions: number;
  readonly startedAt: number;
  readonly lastAt: number;
  /** The number of the last record. */
  readonly seq: number;
  /** How many events followed the last record, and how many of them the stream is about to repeat. */
  readonly eventsOfRecord: number;
  readonly eventsToSkip: number;
  /** Milliseconds of work, without the time in which it was paused or had no process. */
  readonly workedMs: number;
}

export const NO_USAGE: Usage = {
  ...{ input: 0, output: 0, thinking: 0 },
  ...{ cacheRead: 0, cacheWrite: 0, modelMs: 0 },
};

export const EMPTY_WORK: WatchedWork = {
  ...{ run: '', number: null, isConversation: false, title: '', workspace: '' },
  ...{ model: '', driver: '', window: 0, standing: 'working', why: '', hint: '', needs: '' },
  ...{ plan: null, formerPlans: [], active: '', sums: {}, children: {}, entries: [] },
  ...{ turnNow: null, actionNow: null, wait: '', trial: '', questions: [], files: {} },
  ...{ putBack: [], leftAlone: [] },
  ...{
    verdict: '',
    isProved: false,
    beyond: null,
    usage: NO_USAGE,
    context: 0,
    costUsd: 0,
    unpricedTurns: 0,
  },
  ...{ turns: 0, actions: 0, startedAt: 0, lastAt: 0 },
  ...{ seq: 0, eventsOfRecord: 0, eventsToSkip: 0, workedMs: 0 },
};

export const NO_SUM: Sum = {
  ...{ tokens: 0, turns: 0, actions: 0, added: 0, removed: 0, from: 0, to: 0 },
};

/** A mutable copy for the fold; objects shared with the previous state are never modified. */
export type WorkDraft = { -readonly [Key in keyof WatchedWork]: WatchedWork[Key] } & {
  entries: WorkEntry[];
  sums: { [subtask: string]: Sum };
  files: { [path: string]: ChangedFileRow };
};

export const workDraftOf = (work: WatchedWork): WorkDraft => ({
  ...work,
  entries: [...work.entries],
  sums: { ...work.sums },
  files: { ...work.files },
});

export const change = (draft: WorkDraft, to: Partial<WorkDraft>): void =>
  void Object.assign(draft, to);

type Content<E> = E extends WorkEntry ? Omit<E, 'seq' | 'key' | 'at' | 'subtask'> : never;

export function addEntry(draft: WorkDraft, entry: Content<WorkEntry>): void {
  const head = { seq: draft.seq, key: draft.entries.length, at: draft.lastAt };
  draft.entries.push({ ...head, subtask: draft.active, ...entry } as WorkEntry);
}

export const addMark = (draft: WorkDraft, mark: MarkName, text: string, isWarning = false): void =>
  addEntry(draft, { kind: 'mark', mark, text, isWarning });
