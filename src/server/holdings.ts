import { orNull } from '../lib/or-null.ts';
import type { RunState } from '../schema/state.ts';
import type { RunSummary } from './api/run-schemas.ts';
import { unknownRefusal } from './http/problem.ts';
import type { ServerPlace } from './place.ts';
import { Catalogue } from './runs/catalogue.ts';
import { runDetailOf } from './runs/detail.ts';
import { RunQueue } from './runs/queue.ts';
import { TalkStore } from './sessions/store.ts';
import { Everything } from './streams/everything.ts';
import { type FeedOf, RunFeed } from './streams/feed.ts';

/** What the server holds. */
export class Holdings {
  readonly place: ServerPlace;
  readonly queue: RunQueue;
  readonly catalogue: Catalogue;
  readonly talks: TalkStore;
  readonly everything: Everything;
  readonly #feeds = new Map<string, RunFeed>();

  constructor(place: ServerPlace, { isLasting = true }: { readonly isLasting?: boolean } = {}) {
    this.place = place;
    this.queue = new RunQueue(place, isLasting, this.changed);
    this.catalogue = new Catalogue(place, this.queue);
    this.talks = new TalkStore(place, this.catalogue, this.#feed, this.changed);
    this.everything = new Everything(this, place);
  }

  readonly feedOf = ({ id, path }: Pick<RunSummary, 'id' | 'path'>): RunFeed =>
    this.#feed({ run: id, workspace: path, isChat: false });

  readonly #feed = (of: FeedOf): RunFeed => {
    const id = of.run;
    const known = this.#feeds.get(id);
    if (known !== undefined) return known;
    const ended = (): void => {
      if (this.#feeds.get(id) === feed) this.#feeds.delete(id);
    };
    const feed = new RunFeed(this.place, of, ended, () => this.everything.wake());
    this.#feeds.set(id, feed);
    return feed;
  };

  /**
   * Wakes the followers of a run or a conversation, and of everything: something has changed. @param id ''
   * for neither
   */
  readonly changed = (id: string): void => {
    this.#feeds.get(id)?.wake();
    this.everything.wake();
  };

  /** The feed of a run that is followed and worked on, which needs no further look-up. */
  workingFeed(run: string): RunFeed | null {
    const feed = this.#feeds.get(run);
    return feed?.isWorking === true ? feed : null;
  }

  /** The open questions of a run; none if they are unreadable at this moment. */
  questionsOf = (run: RunSummary) => orNull(() => this.detail(run).questions) ?? [];

  readonly detail = (run: RunSummary) => {
    // The working process knows more about a question than its journal.
    if (run.questions > 0 && run.standing === 'running') this.feedOf(run).touch();
    return runDetailOf(
      this.place,
      this.queue,
      run,
      this.#feeds.get(run.id)?.questions ?? new Map(),
    );
  };

  /** Throws if no journal has it yet. */
  state({ path, id }: RunSummary): RunState {
    const belief = this.place.engine.beliefIn(path, id);
    if (belief.kind === 'none') throw unknownRefusal('journal of that run yet', 'Ask in a moment.');
    return belief.state;
  }

  closeFeeds(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }
}
