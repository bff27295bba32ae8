/** Pure: one page of the runs, the latest first. */
import type { RunSummary } from '../api/run-schemas.ts';
import { ServerRefusal } from '../http/problem.ts';

type Place = Pick<RunSummary, 'id' | 'lastAt'>;

/**
 * @param after the `next` of the page before; `null`: the first page. It holds a time and an id, so a page
 * follows the one before even if a run goes on, or is gone, in between. Throws for anything else.
 */
export function runPage<Run extends Place>(
  all: readonly Run[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): { readonly runs: readonly Run[]; readonly next: string | null } {
  const from = after === null ? null : placeIn(after);
  const behind = all
    .filter((run) => from === null || order(from, run) < 0)
    .toSorted((one, other) => order(one, other));
  const runs = behind.slice(0, limit);
  const last = behind.length > limit ? runs.at(-1) : undefined;
  return { runs, next: last === undefined ? null : `${last.lastAt}.${last.id}` };
}

const order = (one: Place, other: Place): number =>
  other.lastAt - one.lastAt || (one.id < other.id ? -1 : Number(one.id > other.id));

function placeIn(after: string): Place {
  const [, lastAt = '', id = ''] = /^(\d{1,16})\.([\w-]{1,64})$/.exec(after) ?? [];
  if (id !== '') return { lastAt: Number(lastAt), id };
  throw new ServerRefusal(
    'E_BODY',
    'after names no place in this list.',
    'Give the next of a page.',
  );
}
