/** A page that is a saved file: one run with its journal, as of the time of saving. It has no server. */
import { signal } from '@preact/signals';
import type { StreamEvent } from '../schema/events/stream.ts';
import type { FileDiff, RunSummary } from '../server/api/run-schemas.ts';
import type { Said } from '../server/api/schemas.ts';
import { foldEvents } from './fold/events.ts';
import { dayAndTime } from './fold/words.ts';
import { EMPTY_WORK } from './fold/work.ts';
import { createStore, type Followed, type Store } from './store.ts';
import { Away, Icon } from './views/parts.tsx';
import { RunPage } from './views/run.tsx';
import type { Browser } from './wire/browser.ts';

/** What `agent export` writes into the page. */
export interface Saved {
  readonly run: string;
  readonly standing: RunSummary['standing'];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly version: string;
  readonly events: readonly StreamEvent[];
  readonly files: readonly FileDiff[];
  readonly said?: Said;
}

export function SavedRun({ saved, browser }: { saved: Saved; browser: Browser }) {
  const { store, followed } = storeOf(saved, browser);
  return (
    <main id="main" class="saved">
      <p class="strip">
        <Icon shape="look" />
        <span>
          Saved by Tardigrade {saved.version} on {dayAndTime(saved.at)}: a copy to read. What became
          of the run since is not in it.
        </span>
      </p>
      <Away.Provider value>
        <RunPage {...{ store, followed }} />
      </Away.Provider>
    </main>
  );
}

function storeOf(saved: Saved, browser: Browser): { store: Store; followed: Followed } {
  const work = foldEvents(EMPTY_WORK, saved.events);
  const { run: id, standing, files, said } = saved;
  const summary: RunSummary = {
    id,
    standing,
    workspace: '',
    path: work.workspace,
    number: work.number,
    goal: work.title,
    startedAt: work.startedAt,
    lastAt: work.lastAt,
    questions: 0,
  };
  const store = createStore(browser);
  const get = <Answer,>(): Promise<Answer> => Promise.resolve({ files } as Answer);
  return {
    store: {
      ...store,
      isSaved: true,
      may: () => false,
      runs: signal([summary]),
      api: { ...store.api, get },
    },
    followed: {
      kind: 'run',
      id,
      work: signal(work),
      detail: signal(null),
      ...(said === undefined ? {} : { said }),
      problem: signal(''),
      isUnknown: signal(false),
      reload: () => {},
    },
  };
}
