/** What the home says about a run besides its state: who holds it, and which commits belong together. */
import * as z from 'zod';
import { TardigradeError } from '../../lib/errors.ts';
import { jsonIn } from '../../lib/json-value.ts';
import type { Repository } from './repository.ts';
import { commitOf } from './snapshot.ts';

const Commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const RunNote = z.object({
  /** Increases with each claim. */
  token: z.number().int().min(0),
  /** The process that holds it; `null`: none. */
  holder: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .nullable(),
  work: Commit,
  head: Commit,
  /** When the holder last stored it, by the holder's clock. */
  seen: z.string().max(40),
});
export type RunNote = z.infer<typeof RunNote>;

const NOTE = 'run.json';
const STATE = 'state';

/** No history of states is kept: the journal contains what counts. */
export async function stateCommit(
  repository: Repository,
  note: RunNote,
  state: string | null,
): Promise<string> {
  const blob = await repository.git(['hash-object', '-w', '--stdin'], {
    stdin: `${JSON.stringify(note)}\n`,
  });
  const entries = [
    `100644 blob ${blob.trim()}\t${NOTE}\n`,
    ...(state === null ? [] : [`040000 tree ${state}\t${STATE}\n`]),
  ];
  const tree = await repository.git(['mktree'], { stdin: entries.join('') });
  return commitOf(repository, tree.trim(), `token ${note.token}`, []);
}

/** Throws E_FOREIGN for an invalid note. */
export async function noteIn(
  repository: Repository,
  commit: string,
): Promise<{ readonly note: RunNote; readonly state: string | null }> {
  const text = await repository.tried(['cat-file', 'blob', `${commit}:${NOTE}`]);
  const note = RunNote.safeParse(jsonIn(text.out)).data;
  if (text.code !== 0 || note === undefined)
    throw new TardigradeError(
      'E_FOREIGN',
      'What the home has of the run is none of this version.',
      'See who may write to the home.',
    );
  const state = await repository.tried(['rev-parse', '--verify', '--quiet', `${commit}:${STATE}`]);
  return { note, state: state.code === 0 ? state.out.trim() : null };
}
