/** The live port of this machine; its code is loaded on first use. */

import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../context-manager/run-format.ts';
import { type Layout, usableLayout } from '../../journal/layout.ts';
import { type LiveNote, notesIn } from '../../live/address.ts';
import { liveKey } from '../../live/handshake.ts';
import { whyNotHere } from '../../live/open.ts';
import type { OwnerMessage } from '../../live/protocol.ts';
import { seqOf } from '../../live/recent-events.ts';
import { type Channel, type NoChannel, openChannel } from '../../live/watcher.ts';
import { layoutOfSession } from '../../sessions/places.ts';
import { replayEvents } from '../library/replay.ts';
import type { userResources } from '../user/user-resources.ts';
import type { Following, FollowObserver, FollowRequest, LivePort, PastEvent } from './live-port.ts';

type OwnFolders = Pick<ReturnType<typeof userResources>, 'machine' | 'livePlace' | 'own'>;

export function livePortHere(things: OwnFolders): LivePort {
  const known = new Map<string, LiveNote>();
  return {
    at: (workspace) => {
      const real = things.machine.fs.realpath(workspace);
      return notesIn(things.livePlace).filter((note) => note.workspace === real);
    },
    all: () => notesIn(things.livePlace, known),
    whyNot: () => whyNotHere(things.livePlace),
    follow: (request) => new Follower(things, request).begin(),
  };
}

/** Milliseconds between two attempts to reconnect, and how many attempts may bring no event. */
const AGAIN_MS = 1000;
const TRIES = 5;

class Follower {
  readonly #things: OwnFolders;
  readonly #request: FollowRequest;
  /** The id of the last event received; `null`: none. */
  #heard: string | null = null;
  #channel: Channel | null = null;
  readonly #asked = new Set<string>();

  constructor(things: OwnFolders, request: FollowRequest) {
    this.#things = things;
    this.#request = request;
    this.#heard = request.after ?? null;
  }

  async begin(): Promise<Following | NoChannel> {
    const opened = await this.#open();
    if (typeof opened === 'string') return opened;
    return {
      send: (options) =>
        this.#channel?.send(options) ??
        Promise.resolve({ how: 'refused', why: 'The connection is broken; it is made again.' }),
      closed: this.#follow(opened),
    };
  }

  async #open(): Promise<Channel | NoChannel> {
    const { own, livePlace, machine } = this.#things;
    const { note, answers, signal } = this.#request;
    const reading = own.find();
    if (reading.kind !== 'ok') return 'unproved';
    if (note.address === null) return 'gone';
    const opened = await openChannel({
      address: note.address,
      key: liveKey(reading.key),
      run: note.run,
      answers,
      signal,
      random: livePlace.random,
      clock: machine.clock,
      after: this.#heard,
      onMessage: (message) => this.#hear(message),
    });
    if (typeof opened !== 'string') this.#channel = opened;
    return opened;
  }

  /** Reconnects if the connection breaks while the owner is alive, so that no event is lost. */
  async #follow(first: Channel): ReturnType<() => Following['closed']> {
    let channel = first;
    for (let tries = 0; tries < TRIES; ) {
      const how = await channel.closed;
      if (how !== 'lost') return how === 'bye' ? 'ended' : 'left';
      this.#channel = null;
      const { clock } = this.#things.machine;
      const { signal } = this.#request;
      await clock.sleep(tries === 0 ? 0 : AGAIN_MS, signal).catch(() => {});
      if (signal.aborted) return 'left';
      const heard = this.#heard;
      const again = await this.#open();
      if (typeof again !== 'string') channel = again;
      if (again === 'gone' && !this.#isThere()) return 'gone';
      tries = this.#heard === heard ? tries + 1 : 0;
    }
    return 'gone';
  }

  #isThere(): boolean {
    const { address } = this.#request.note;
    return notesIn(this.#things.livePlace).some((note) => note.address === address);
  }

  #hear(message: OwnerMessage): void {
    const { observer } = this.#request;
    switch (message.is) {
      case 'hello':
        this.#begin(message, observer);
        return;
      case 'event':
        this.#heard = message.id;
        observer.receive(message.id, message.event);
        return;
      case 'question':
        this.#asked.add(message.question.id);
        observer.question(message.question);
        return;
      case 'settled':
        this.#asked.delete(message.id);
        observer.settled(message.id);
        return;
      default:
    }
  }

  #begin(
    { from, last = from, started, hasPerson }: Extract<OwnerMessage, { is: 'hello' }>,
    observer: FollowObserver,
  ): void {
    const before = this.#heard;
    this.#heard = from;
    // Which questions were settled while the connection was broken is unknown. Open ones are asked again.
    for (const id of this.#asked) observer.settled(id);
    this.#asked.clear();
    observer.begins?.(from, last);
    if (before === null) observer.past(this.#records(0, seqOf(from)), { started, hasPerson });
    else if (seqOf(from) > seqOf(before))
      observer.missed(this.#records(seqOf(before), seqOf(from)));
  }

  /** Folds all records and yields those after `after`. */
  *#records(after: number, last: number): Generator<PastEvent> {
    const { note, isChat } = this.#request;
    const { fs } = this.#things.machine;
    const layout: Layout = isChat
      ? layoutOfSession(note.workspace, note.run)
      : usableLayout(fs, note.workspace);
    const format = isChat ? CONVERSATION_FORMAT : RUN_FORMAT;
    for (const event of replayEvents(layout, fs, format)) {
      if (event.record.seq > last) return;
      if (event.record.seq > after) yield event;
    }
  }
}
