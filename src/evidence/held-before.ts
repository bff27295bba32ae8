/** Whether a command passes with the files as the run found them, in the copy. */
import { SCRATCH_ID } from '../schema/evidence.ts';
import type { Proof } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import type { Decide } from '../tools/decision.ts';
import { type CopyPort, copyFor, runInCopy } from './in-copy.ts';

const MAX_SEC = 60;

/** False also where it cannot be tried: then nothing is known of how it was. */
export async function heldBefore(
  run: CopyPort,
  { cmd, stdin, prints }: Proof,
  decide: Decide,
): Promise<boolean> {
  const changes = filesBefore(run);
  const copied = changes === null ? null : await copyFor(run, changes);
  if (copied?.kind !== 'copied') return false;
  const command = {
    cmd,
    ...(stdin === undefined ? {} : { stdin }),
    ...(prints === undefined ? {} : { prints }),
  };
  const ran = await runInCopy(run, command, {
    id: `${SCRATCH_ID}before`,
    seconds: MAX_SEC,
    scratch: { what: 'example', about: cmd, tree: copied.tree },
    decide,
  });
  return ran?.record.passed === true;
}

/** What tools and commands changed, as it was; `null` where what was there is not kept any more. */
function filesBefore({ context }: CopyPort): ReadonlyMap<string, Uint8Array | null> | null {
  const before = new Map<string, Uint8Array | null>();
  for (const [path, hash] of hashesBefore(context.state)) {
    const bytes = hash === null ? null : bytesOf(context, hash);
    if (hash !== null && bytes === null) return null;
    before.set(path, bytes);
  }
  return before;
}

function bytesOf(context: CopyPort['context'], hash: string): Uint8Array | null {
  try {
    return context.journal.blobs.read(hash);
  } catch {
    return null;
  }
}

const hashesBefore = ({ files, commandChanges }: RunState): ReadonlyMap<string, string | null> =>
  new Map([
    ...Object.entries(commandChanges.files).map(([path, { before }]) => [path, before] as const),
    ...Object.entries(files)
      .filter(([, { written }]) => written)
      .map(([path, { given }]) => [path, given ?? null] as const),
  ]);
