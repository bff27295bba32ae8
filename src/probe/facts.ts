/** The generic look at where a run stands; it is bounded and depends on no clock. */
import { onOneLine } from '../lib/text/one-line.ts';
import { plannedFiles } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import type { CommandFact } from '../schema/state-parts/run-facts.ts';
import { isPattern } from '../tools/search/glob.ts';

/** Names in order, at most `MAX_NAMES` of them; `total` counts those left out too. */
export interface NameList {
  readonly names: readonly string[];
  readonly total: number;
}

export interface Facts {
  /** Written by a tool or a command of this run and still there. */
  readonly files_written: NameList;
  /** Known to the run or named by its plan, and on disk. */
  readonly files_exist: NameList;
  /** Named by the plan, or written by this run, and not on disk. */
  readonly files_missing: NameList;
  readonly commands_run: readonly CommandFact[];
  /** The last three. */
  readonly recent_errors: readonly string[];
}

export interface FactsDeps {
  /** True for a file or folder inside the workspace. */
  exists(path: string): boolean;
}

const MAX_NAMES = 30;
const MAX_ERROR = 300;
/** The most names that are looked up on disk, however large plan and state are. */
const MAX_LOOKS = 500;

type FactSources = Pick<
  RunState,
  'plan' | 'files' | 'commandChanges' | 'commands' | 'recentErrors'
>;

/** Looks at the disk for every file that the run has touched or its plan names; a pattern is no file. */
export function gatherFacts(state: FactSources, deps: FactsDeps): Facts {
  const written = writtenIn(state);
  const known = [...Object.keys(state.files), ...written];
  const planned = new Set(plannedFiles(state.plan).filter((name) => !isPattern(name)));
  // Sorted by code unit, not by locale: every machine must write the same prompt.
  const all = [...new Set([...planned, ...known])].sort().slice(0, MAX_LOOKS);
  const there = new Set(all.filter((path) => deps.exists(path)));
  return {
    files_written: bounded(all.filter((path) => written.has(path) && there.has(path))),
    files_exist: bounded(all.filter((path) => there.has(path))),
    files_missing: bounded(
      all.filter((path) => !there.has(path) && (planned.has(path) || written.has(path))),
    ),
    commands_run: state.commands.slice(-8),
    recent_errors: state.recentErrors.slice(-3).map(({ text }) => clip(text, MAX_ERROR)),
  };
}

/** A file that the run itself removed is not missing; a change that nobody saw has no author. */
function writtenIn({ files, commandChanges }: FactSources): ReadonlySet<string> {
  const byTools = Object.entries(files).filter(([, file]) => file.written && file.hash !== null);
  const byCommands = Object.entries(commandChanges.files).filter(
    ([path, { after, isUnseen }]) => after !== null && !isUnseen && files[path]?.hash !== null,
  );
  return new Set([...byTools, ...byCommands].map(([path]) => path));
}

/**
 * The same for a run that the model leads in one conversation: all facts at the first border, later only
 * those since the last border still in view. A repaired error is no longer a fact.
 */
export function factsAtBorder(
  state: FactSources & Pick<RunState, 'conversation'>,
  deps: FactsDeps,
): string {
  const { conversation } = state;
  const at = conversation.findLastIndex(
    ({ cause }) => cause === 'subtask_started' || cause === 'border',
  );
  const last = conversation[at];
  const standing = state.recentErrors.filter(({ isMended }) => !isMended);
  if (!last) return factsText(gatherFacts({ ...state, recentErrors: standing }, deps));
  const written = new Set(filesShownSince(conversation, at).map(({ path }) => path));
  const files = Object.entries(state.files).filter(([path]) => written.has(path));
  const changes = Object.entries(state.commandChanges.files).filter(
    ([, { seq }]) => seq > last.seq,
  );
  const now = gatherFacts(
    {
      plan: null,
      files: Object.fromEntries(files),
      commandChanges: { ...state.commandChanges, files: Object.fromEntries(changes) },
      commands: state.commands.filter(({ offset }) => offset > last.offset),
      recentErrors: standing.filter(({ seq }) => seq > last.seq),
    },
    deps,
  );
  return newsText(now);
}

/** Files shown by the replies behind a border, and by the rest of a reply that the border interrupts. */
function filesShownSince(conversation: RunState['conversation'], border: number) {
  const isReply = ({ role }: { readonly role: string }): boolean => role === 'assistant';
  const own = conversation[border]?.cause === 'border' ? conversation.slice(0, border) : [];
  return [
    ...(own.findLast(isReply)?.shows ?? []).slice(conversation[border]?.showsBefore ?? 0),
    ...conversation
      .slice(border)
      .filter(isReply)
      .flatMap(({ shows = [] }) => shows),
  ];
}

/** The facts as the model reads them, one line each; the same facts always give the same text. */
export function factsText(facts: Facts): string {
  return [
    `files_written: ${namesText(facts.files_written)}`,
    `files_exist: ${namesText(facts.files_exist)}`,
    ...missingLine(facts),
    `commands_run: ${commandsText(facts) || 'none'}`,
    ...errorLines(facts),
  ].join('\n');
}

/** The same without `files_exist` and without anything empty. */
function newsText(facts: Facts): string {
  return [
    ...(facts.files_written.total ? [`files_written: ${namesText(facts.files_written)}`] : []),
    ...missingLine(facts),
    ...(facts.commands_run.length ? [`commands_run: ${commandsText(facts)}`] : []),
    ...errorLines(facts),
  ].join('\n');
}

const missingLine = ({ files_missing }: Facts): readonly string[] =>
  files_missing.total ? [`files_missing: ${namesText(files_missing)}`] : [];

const commandsText = ({ commands_run }: Facts): string =>
  withoutRepeats(commands_run.map(commandText)).join('; ');

/** The same line again tells nothing new. */
const withoutRepeats = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, at) => line !== lines[at - 1]);

const errorLines = ({ recent_errors }: Facts): readonly string[] =>
  recent_errors.length
    ? ['recent_errors:', ...withoutRepeats(recent_errors).map((error) => `- ${error}`)]
    : [];

function commandText(command: CommandFact): string {
  const code = command.exitCode === null ? '' : ` (exit code ${command.exitCode})`;
  const status = command.status === 'ok' ? '' : ` ${command.status}`;
  return `${clip(command.cmd, 120)}${status}${code}`;
}

function namesText(list: NameList): string {
  if (list.total === 0) return 'none';
  const more = list.total - list.names.length;
  return `${list.names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function bounded(names: readonly string[]): NameList {
  return { names: names.slice(0, MAX_NAMES), total: names.length };
}

function clip(text: string, max: number): string {
  const line = onOneLine(text);
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
