/** The generic look at where a run stands: bounded, and with no clock in it. */
import { plannedFiles } from '../schema/plan.ts';
import type { CommandFact } from '../schema/run-facts.ts';
import type { RunState } from '../schema/state.ts';

/** Names in order, at most `MAX_NAMES` of them; `total` counts those left out too. */
export interface NameList {
  readonly names: readonly string[];
  readonly total: number;
}

export interface Facts {
  /** Written by this run and still there. */
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
  /** True for files and folders inside the workspace. Never throws. */
  exists(path: string): boolean;
}

const MAX_NAMES = 30;
const MAX_ERROR = 300;
/** Further than this no name is looked at on disk, however large plan and state are. */
const MAX_LOOKS = 500;

/** Looks at the disk for every file that the run has touched or its plan names. */
export function gatherFacts(
  state: Pick<RunState, 'plan' | 'files' | 'commands' | 'recentErrors'>,
  deps: FactsDeps,
): Facts {
  const known = Object.keys(state.files);
  // What the run itself removed is not missing.
  const written = new Set(
    known.filter((path) => state.files[path]?.written && state.files[path].hash !== null),
  );
  const planned = new Set(plannedFiles(state.plan));
  const all = [...new Set([...planned, ...known])].sort(byName).slice(0, MAX_LOOKS);
  const there = new Set(all.filter((path) => deps.exists(path)));
  return {
    files_written: bounded(all.filter((path) => written.has(path) && there.has(path))),
    files_exist: bounded(all.filter((path) => there.has(path))),
    files_missing: bounded(
      all.filter((path) => !there.has(path) && (planned.has(path) || written.has(path))),
    ),
    commands_run: state.commands.slice(-8),
    recent_errors: state.recentErrors.slice(-3).map((error) => clip(error, MAX_ERROR)),
  };
}

/** The facts as the model reads them: one line each, the same facts always the same text. */
export function factsText(facts: Facts): string {
  const commands = facts.commands_run.map(commandText);
  return [
    `files_written: ${namesText(facts.files_written)}`,
    `files_exist: ${namesText(facts.files_exist)}`,
    ...(facts.files_missing.total ? [`files_missing: ${namesText(facts.files_missing)}`] : []),
    `commands_run: ${commands.length ? commands.join('; ') : 'none'}`,
    ...(facts.recent_errors.length
      ? ['recent_errors:', ...facts.recent_errors.map((error) => `- ${error}`)]
      : []),
  ].join('\n');
}

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

/** By code unit, not by locale: every machine must write the same prompt. */
const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function clip(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
