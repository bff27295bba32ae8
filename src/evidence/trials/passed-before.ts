/** Tries in a copy whether a command passes with the files as the run found them. */

import { defined } from '../../lib/defined.ts';
import { orNull } from '../../lib/or-null.ts';
import { AS_FOUND, SCRATCH_ID } from '../../schema/evidence.ts';
import type { Proof } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import type { Decide } from '../../tools/decision.ts';
import { VERDICT_LIMITS } from '../../workspace/copy-limits.ts';
import { type CopyPort, copyFor, runInCopy } from './in-copy.ts';

const MAX_SEC = 60;

/** False also when it cannot be tried, because then the earlier result is unknown. */
export async function passedBefore(
  run: CopyPort,
  { cmd, stdin, prints }: Proof,
  decide: Decide,
): Promise<boolean> {
  const tree = await copyOfBefore(run);
  if (tree === null) return false;
  const command = { cmd, ...defined({ stdin, prints }) };
  const ran = await runInCopy(run, command, {
    id: `${SCRATCH_ID}before`,
    seconds: MAX_SEC,
    scratch: { what: 'example', about: cmd, tree },
    decide,
  });
  return ran?.record.passed === true;
}

/** Records what a checker or test run reports for the files as found, or that it could not be tried there. */
export async function lookAsFound(run: CopyPort, cmd: string, decide: Decide): Promise<void> {
  const tree = await copyOfBefore(run);
  if (run.signal.aborted) return;
  const scratch = { what: AS_FOUND, about: cmd, tree: tree ?? '' };
  const place = { id: `${SCRATCH_ID}${AS_FOUND}`, seconds: MAX_SEC, scratch, decide };
  if (tree !== null) {
    await runInCopy(run, { cmd }, place);
    return;
  }
  run.context.record({
    type: 'check_ran',
    id: null,
    subtask: 'none',
    check: { cmd },
    proof: false,
    passed: false,
    text: 'It could not be tried with the files as they were.',
    facts: {},
    scratch: { ...scratch, word: '' },
  });
}

/** The hash of the copied workspace; `null` when its earlier contents are unknown. */
async function copyOfBefore(run: CopyPort): Promise<string | null> {
  const changes = filesBefore(run);
  // Installed packages are linked: without them, a failure would be blamed on the files.
  const copied =
    changes === null
      ? null
      : await copyFor(run, changes, { hasInstalled: true, limits: VERDICT_LIMITS });
  return copied?.kind === 'copied' ? copied.tree : null;
}

/** The earlier contents of what tools and commands changed; `null` when one of them was not kept. */
function filesBefore({ context }: CopyPort): ReadonlyMap<string, Uint8Array | null> | null {
  const before = new Map<string, Uint8Array | null>();
  for (const [path, hash] of hashesBefore(context.state)) {
    const bytes = hash === null ? null : orNull(() => context.journal.blobs.read(hash));
    if (hash !== null && bytes === null) return null;
    before.set(path, bytes);
  }
  return before;
}

const hashesBefore = ({ files, commandChanges }: RunState): ReadonlyMap<string, string | null> =>
  new Map([
    ...Object.entries(commandChanges.files).map(([path, { before }]) => [path, before] as const),
    ...Object.entries(files)
      .filter(([, { written }]) => written)
      .map(([path, { baseline }]) => [path, baseline ?? null] as const),
  ]);
