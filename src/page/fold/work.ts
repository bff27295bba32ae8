/** What the page knows of a run or a conversation, folded from its events alone. */
import type { CommandResult } from '../../schema/events/outcome.ts';
import type { Beyond } from '../../schema/evidence.ts';
import type { Usage } from '../../schema/model/turn.ts';
import type { Plan } from '../../schema/plan.ts';
import type { Red } from './said.ts';

/** Where it stands, as far as its own events tell. */
export type Standing =
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
  /** Of the journal record; what has none has that of the record before it. */
  readonly seq: number;
  /** Its number among the entries. */
  readonly key: number;
  /** Milliseconds since 1970; 0: not known. */
  readonly at: number;
  /** The subtask that was worked on; '': none. */
  readonly subtask: string;
}

export interface TurnEntry extends EntryHead {
  readonly kind: 'turn';
  readonly turn: number;
  readonly purpose: string;
  readonly target: string;
  readonly status: string;
  readonly detail: string;
  readonly text: string;
  readonly thinking: string;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

export interface ChangedFile {
  readonly path: string;
  readonly became: 'made' | 'changed' | 'removed';
  readonly added: number;
  readonly removed: number;
}

export interface ActionEntry extends EntryHead {
  readonly kind: 'action';
  readonly id: string;
  readonly name: string;
  /** Its file, folder or command. */
  readonly target: string;
  /** Of its call, as the model gave them. */
  readonly args: { readonly [name: string]: unknown };
  /** `running`, `unknown` where it was cut off, or how it ended. */
  readonly status: string;
  readonly content: string;
  readonly command: CommandResult | null;
  readonly ms: number | null;
  readonly files: readonly ChangedFile[];
  /** Of a command that failed before the run had changed anything: why. */
  readonly failedBefore?: Red;
}

export interface CheckEntry extends EntryHead {
  readonly kind: 'check';
  readonly isProof: boolean;
  readonly when: 'before' | 'after' | '';
  readonly passed: boolean;
  /** What was run or looked for. */
  readonly what: string;
  readonly text: string;
  readonly printed: string;
  /** Of a try in a copy of the folder: what the copy differs in; ''. */
  readonly copy: string;
  readonly about: string;
  /** Of a try in a copy from which the work is taken away: a failure speaks for the work. */
  readonly isMeantToFail: boolean;
  /** Somebody skipped it, so it says nothing. */
  readonly isSkipped: boolean;
  /** Of one that failed. */
  readonly red: Red;
  /** 0: none, or nobody counted them. */
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

/** A command of the person behind a slash, and what it said. */
export interface CommandEntry extends EntryHead {
  readonly kind: 'command';
  readonly line: string;
  readonly text: string;
}

export type Entry = TurnEntry | ActionEntry | CheckEntry | SaidEntry | MarkEntry | CommandEntry;

/** What one subtask took so far. */
export interface Sum {
  readonly tokens: number;
  readonly turns: number;
  readonly actions: number;
  readonly added: number;
  readonly removed: number;
  /** Milliseconds of work before it, and with it: those in which nobody worked are not in it. */
  readonly from: number;
  readonly to: number;
}

/** A question as a journal has it; who works on the run knows more of it. */
export interface AskedInJournal {
  readonly id: string;
  readonly tool: string;
  readonly target: string;
  readonly reason: string;
  readonly rules: readonly string[];
  /** Nobody could be asked, so it was refused for now. */
  readonly isNoted: boolean;
}

export interface TurnNow {
  readonly turn: number;
  readonly purpose: string;
  readonly target: string;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  /** Percent of the prompt; left out where nobody tells. */
  readonly read?: number;
  readonly since: number;
}

export interface ActionNow {
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** The end of what its program printed. */
  readonly output: string;
}

export interface Work {
  readonly run: string;
  readonly number: number | null;
  readonly isConversation: boolean;
  /** What was asked for; of a conversation its name. */
  readonly title: string;
  readonly workspace: string;
  readonly model: string;
  readonly driver: string;
  /** Tokens; 0: not known. */
  readonly window: number;
  readonly standing: Standing;
  /** Why it stands so, in whole sentences. */
  readonly why: string;
  readonly hint: string;
  /** What a person would have to give or do, where it gave up; ''. */
  readonly needs: string;
  readonly plan: Plan | null;
  /** Plans that another one took the place of, the oldest first. */
  readonly formerPlans: readonly Plan[];
  readonly active: string;
  readonly sums: { readonly [subtask: string]: Sum };
  readonly entries: readonly Entry[];
  readonly turnNow: TurnNow | null;
  readonly actionNow: ActionNow | null;
  /** What it waits for before it asks a model again. */
  readonly wait: string;
  /** The trial that the end of a run is at; ''. */
  readonly trial: string;
  readonly questions: readonly AskedInJournal[];
  readonly files: { readonly [path: string]: ChangedFile };
  /** What an undo put back, and what it left alone. */
  readonly putBack: readonly string[];
  readonly leftAlone: readonly string[];
  /** How the verdict is known, or what speaks against it. */
  readonly verdict: string;
  readonly isKnown: boolean;
  /** What of the work its proof does not show; `null`: not known. */
  readonly beyond: Beyond | null;
  readonly usage: Usage;
  /** Tokens of the prompt of the last turn. */
  readonly context: number;
  readonly costUsd: number;
  readonly unpricedTurns: number;
  readonly turns: number;
  readonly actions: number;
  readonly startedAt: number;
  readonly lastAt: number;
  /** Of the last record. */
  readonly seq: number;
  /** How many events behind the last record were seen, and how many of them come again. */
  readonly meanings: number;
  readonly repeated: number;
  /** Milliseconds it was worked on: the time it was paused or dead is none. */
  readonly workedMs: number;
}

export const NO_USAGE: Usage = {
  ...{ input: 0, output: 0, thinking: 0 },
  ...{ cacheRead: 0, cacheWrite: 0, modelMs: 0 },
};

export const NOTHING: Work = {
  ...{ run: '', number: null, isConversation: false, title: '', workspace: '' },
  ...{ model: '', driver: '', window: 0, standing: 'working', why: '', hint: '', needs: '' },
  ...{ plan: null, formerPlans: [], active: '', sums: {}, entries: [] },
  ...{ turnNow: null, actionNow: null, wait: '', trial: '', questions: [], files: {} },
  ...{ putBack: [], leftAlone: [] },
  ...{
    verdict: '',
    isKnown: false,
    beyond: null,
    usage: NO_USAGE,
    context: 0,
    costUsd: 0,
    unpricedTurns: 0,
  },
  ...{ turns: 0, actions: 0, startedAt: 0, lastAt: 0 },
  ...{ seq: 0, meanings: 0, repeated: 0, workedMs: 0 },
};

export const NO_SUM: Sum = {
  ...{ tokens: 0, turns: 0, actions: 0, added: 0, removed: 0, from: 0, to: 0 },
};

/** A copy that a fold writes into; what it took from the work before is never written to. */
export type Draft = { -readonly [Key in keyof Work]: Work[Key] } & {
  entries: Entry[];
  sums: { [subtask: string]: Sum };
  files: { [path: string]: ChangedFile };
};

export const draftOf = (work: Work): Draft => ({
  ...work,
  entries: [...work.entries],
  sums: { ...work.sums },
  files: { ...work.files },
});

type Content<E> = E extends Entry ? Omit<E, 'seq' | 'key' | 'at' | 'subtask'> : never;

export function add(draft: Draft, entry: Content<Entry>): void {
  const head = { seq: draft.seq, key: draft.entries.length, at: draft.lastAt };
  draft.entries.push({ ...head, subtask: draft.active, ...entry } as Entry);
}

export const addMark = (draft: Draft, mark: MarkName, text: string, isWarning = false): void =>
  add(draft, { kind: 'mark', mark, text, isWarning });

/** Adds to what the active subtask took. */
export function count(draft: Draft, more: Partial<Sum>): void {
  if (draft.active === '') return;
  const sum = draft.sums[draft.active] ?? { ...NO_SUM, from: draft.workedMs };
  draft.sums[draft.active] = {
    tokens: sum.tokens + (more.tokens ?? 0),
    turns: sum.turns + (more.turns ?? 0),
    actions: sum.actions + (more.actions ?? 0),
    added: sum.added + (more.added ?? 0),
    removed: sum.removed + (more.removed ?? 0),
    from: sum.from,
    to: draft.workedMs,
  };
}
