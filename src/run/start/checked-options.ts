/** Options of a run that may be nonsense: each is refused with what to do. */

import type { GivenPlan } from '../../context-manager/open-or-create.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { KEY_BYTES } from '../../lib/mac.ts';
import type { Redactor } from '../../llm/secrets/redactor.ts';
import { MAX_GOAL } from '../../schema/config.ts';
import { RunId } from '../../schema/journal/origin.ts';
import { pathsOf } from '../../workspace/jail.ts';

/** Throws E_USAGE for a goal of nothing but white space, or one without end. */
export function checkGoal(goal: string | null): void {
  if (goal !== null && goal.trim() === '')
    throw new TardigradeError('E_USAGE', 'The goal is empty.', 'Say in words what should be done.');
  if (goal !== null && goal.length > MAX_GOAL)
    throw new TardigradeError(
      'E_USAGE',
      `The goal has more than ${MAX_GOAL.toLocaleString('en')} characters.`,
      'Put what it is about into a file of the workspace, and name the file in the goal.',
    );
}

/** It names a file. A second run under the same id would take the place of the first. */
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
    throw new TardigradeError(
      'E_USAGE',
      'The id of a run has 1 to 64 letters, digits, - or _.',
      'Choose another id, or leave it out.',
    );
  if (goal === null || again !== true) return run;
  throw new TardigradeError(
    'E_USAGE',
    'A run with its own id cannot begin again under that id.',
    'Give another id.',
  );
}

/** Which run began one, by the record with that seq of its journal. */
export interface Parent {
  readonly run: string;
  readonly seq: number;
}

const MOST_WORKER = 200;

/** What the first record says of a run, and the lease of whoever takes it up. */
export function checkedPlace({
  parent,
  worker,
}: {
  readonly parent?: Parent;
  readonly worker?: string;
}): { readonly parent: Parent | undefined; readonly worker: string | undefined } {
  if (parent !== undefined && !isParent(parent))
    throw new TardigradeError(
      'E_USAGE',
      'The parent of a run must have an id (1 to 64 letters, digits, - or _) and the seq of a record.',
      'Give { run, seq }, or leave it out.',
    );
  if (worker !== undefined && (worker === '' || worker.length > MOST_WORKER))
    throw new TardigradeError(
      'E_USAGE',
      `The name of a worker has ${worker.length} characters, and it must have 1 to ${MOST_WORKER}.`,
      'Choose another name, or leave it out.',
    );
  return { parent, worker };
}

const isParent = ({ run, seq }: Parent): boolean =>
  RunId.safeParse(run).success && Number.isSafeInteger(seq) && seq >= 1;

/** A short key would let others sign. */
export function checkedKey(key: Uint8Array | null | undefined): Uint8Array | null | undefined {
  if (!key || key.length >= KEY_BYTES) return key;
  throw new TardigradeError(
    'E_USAGE',
    `The key for the origin of a run has ${key.length} bytes, and ${KEY_BYTES} are needed.`,
    'Keep 32 random bytes where only this user can read them.',
  );
}

/** A relative one would be another with each working folder. */
export function checkedFolder(
  folder: string | undefined,
  platform: NodeJS.Platform,
): string | null {
  if (folder === undefined || pathsOf(platform).isAbsolute(folder)) return folder ?? null;
  throw new TardigradeError(
    'E_USAGE',
    `What files held before cannot be kept in ${folder}: it is not absolute.`,
    'Give the whole path of a folder of this user.',
  );
}

const LONGEST_PLAN = 64 * 1024;

/** Throws E_USAGE. Without keys, as the goal is kept. */
export function checkedTemplate(
  given: GivenPlan | undefined,
  keys: Pick<Redactor, 'text'>,
): GivenPlan | null {
  if (given === undefined) return null;
  const { name, text } = given;
  if (typeof name === 'string' && typeof text === 'string' && text.length <= LONGEST_PLAN)
    return { name, text: keys.text(text) };
  throw new TardigradeError(
    'E_USAGE',
    `A template has a name and the text of a plan of at most ${LONGEST_PLAN / 1024} KB.`,
    'Give it as { name, text }.',
  );
}
