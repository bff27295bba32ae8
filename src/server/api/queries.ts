/** Pure data: the query parameters of each route. */
import type { RouteName } from './routes.ts';

const PAGED = { limit: 'At most so many; 50', after: 'Behind this one' };
const STREAMED = {
  after: 'The id of the event that was heard last; the header Last-Event-ID goes before it',
  records: '1: events of type record as well',
  pieces: '0: no pieces of text',
  names: 'tardigrade or seed: which names events have',
};

/** Query parameters, with what each is for. */
export const QUERIES: { readonly [Name in RouteName]?: { readonly [word: string]: string } } = {
  runs: { workspace: 'Of the folder with this id', ...PAGED },
  runEvents: STREAMED,
  runHistory: { ...PAGED, records: STREAMED.records },
  runOutput: { from: 'Characters before the piece; 0' },
  runDiff: { path: 'One file, with its patch' },
  sessionStream: { ...STREAMED, observe: '1: beside the holder' },
};
