/** Checks options of a run and refuses invalid ones with advice. */

import type { GivenPlan } from '../../context-manager/open-or-create.ts';
import { misuse } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { KEY_BYTES } from '../../lib/mac.ts';
import type { Redactor } from '../../llm/secrets/redactor.ts';
import { MAX_GOAL } from '../../schema/config.ts';
import { RunId } from '../../schema/journal/origin.ts';

/** Throws E_USAGE for a goal that is only white space or too long. */
export function checkGoal(goal: string | null): void {
  if (goal !== null && goal.trim() === '')
    throw misuse('The goal is empty.', 'Say in words what should be done.');
  if (goal !== null && goal.length > MAX_GOAL)
    throw misuse(
      `The goal has more than ${MAX_GOAL.toLocaleString('en')} characters.`,
      'Put what it is about into a file of the workspace, and name the file in the goal.',
    );
}

/** Checks a run id, which becomes a file name. A second run with the same id would replace the first. */
export function checkedRunId({
  run,
  goal,
  again,
}: {
  readonly run?: string;
  readonly goal: string | null;
  readonly again?: boolean;
}): string | undefined {
  if (run === undefined) return undefined;
  if (!RunId.safeParse(run).success)
    throw misuse(
      'The id of a run has 1 to 64 letters, digits, - or _.',
      'Choose another id, or leave it out.',
    );
  if (goal === null || again !== true) return run;
  throw misuse('A run with its own id cannot begin again under that id.', 'Give another id.');
}

/** The parent run and the seq of its record that began this one. */
export interface Parent {
  readonly run: string;
  readonly seq: number;
}

const MAX_WORKER = 200;

/** Checks the parent, which the first record stores, and the worker's name, which the lease stores. */
export function checkedPlace({
  parent,
  worker,
}: {
  readonly parent?: Parent;
  readonly worker?: string;
}): { readonly parent: Parent | undefined; readonly worker: string | undefined } {
  if (parent !== undefined && !isParent(parent))
    throw misuse(
      'The parent of a run must have an id (1 to 64 letters, digits, - or _) and the seq of a record.',
      'Give { run, seq }, or leave it out.',
    );
  if (worker !== undefined && (worker === '' || worker.length > MAX_WORKER))
    throw misuse(
      `The name of a worker has ${worker.length} characters, and it must have 1 to ${MAX_WORKER}.`,
      'Choose another name, or leave it out.',
    );
  return { parent, worker };
}

const isParent = ({ run, seq }: Parent): boolean =>
  RunId.safeParse(run).success && Number.isSafeInteger(seq) && seq >= 1;

/** A shorter key would let others forge signatures. */
export function checkedKey(key: Uint8Array | null | undefined): Uint8Array | null | undefined {
  if (!key || key.length >= KEY_BYTES) return key;
  throw misuse(
    `The key for the origin of a run has ${key.length} bytes, and ${KEY_BYTES} are needed.`,
    'Keep 32 random bytes where only this user can read them.',
  );
}

/** A relative path would depend on the current folder. */
export function checkedFolder(
  folder: string | undefined,
  platform: NodeJS.Platform,
): string | null {
  if (folder === undefined || pathsOf(platform).isAbsolute(folder)) return folder ?? null;
  throw misuse(
    `What files held before cannot be kept in ${folder}: it is not absolute.`,
    'Give the whole path of a folder of this user.',
  );
}

const LONGEST_PLAN = 64 * 1024;

/** Throws E_USAGE. Secrets are removed, as from the goal. */
export function checkedTemplate(
  plan: GivenPlan | undefined,
  keys: Pick<Redactor, 'text'>,
): GivenPlan | null {
  if (plan === undefined) return null;
  const { name, text } = plan;
  if (typeof name === 'string' && typeof text === 'string' && text.length <= LONGEST_PLAN)
    return { name, text: keys.text(text) };
  throw misuse(
    `A template has a name and the text of a plan of at most ${LONGEST_PLAN / 1024} KB.`,
    'Give it as { name, text }.',
  );
}
