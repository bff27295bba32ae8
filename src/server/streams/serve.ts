/** The three kinds of streams: of one run, of one conversation, and of everything. */

import type { OpenQuestion } from '../../host/live/live-port.ts';
import type { RecentEvents } from '../../live/recent-events.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { FrameWriter } from '../http/frames.ts';
import type { RouteCall } from '../http/server.ts';
import type { ServerPlace } from '../place.ts';
import { shownQuestion } from '../runs/detail.ts';
import type { Talk } from '../sessions/talk.ts';
import { ClientStream } from './client-stream.ts';
import type { Everything } from './everything.ts';
import { type RunFeed, SILENT } from './feed.ts';
import { ownNames, sevenNames } from './names.ts';
import { Wakes } from './wakes.ts';

export const breathing =
  ({ clock }: ServerPlace) =>
  async (): Promise<void> => {
    await clock.breathe?.();
  };

const namingOptions = (query: URLSearchParams) => ({
  records: query.get('records') === '1',
  pieces: query.get('pieces') !== '0',
});

const send = (writer: FrameWriter, event: string, data: object): void =>
  writer.send({ id: null, event, data });

const untilGone = ({ gone }: FrameWriter): Promise<void> =>
  new Promise((resolve) => {
    if (gone.aborted) resolve();
    else gone.addEventListener('abort', () => resolve(), { once: true });
  });

/** How often a stream checks whether its run still comes, if nothing wakes it. */
const LOOK_MS = 1000;

interface Waited {
  readonly feed: RunFeed;
  /** True if the run will never have a journal. */
  neverBegins(): boolean;
}

/** `null`: the client has gone, or there is nothing left to wait for, which the client is told. */
async function untilBegun(
  { feed, neverBegins }: Waited,
  writer: FrameWriter,
  { clock }: ServerPlace,
): Promise<RecentEvents | null> {
  const begun = new AbortController();
  const wakes = new Wakes();
  const leave = feed.join({ ...SILENT, woken: () => wakes.wake() });
  try {
    for (;;) {
      const pause = wakes.pause(clock, LOOK_MS, writer.gone, begun.signal);
      const log = await Promise.race([feed.ready, pause.then(() => null)]);
      if (log !== null || writer.gone.aborted) return log;
      if (!neverBegins()) continue;
      writer.bye('ended');
      return null;
    }
  } finally {
    begun.abort();
    leave();
  }
}

interface RunStream extends Waited {
  readonly isOver: boolean;
  /**
   * The last event of the run, for a client that came after it; `null`: the run has neither ended nor paused.
   * A failure of the process is no such event.
   */
  result(): Promise<StreamEvent | null>;
}

/** Resolves when the client has gone. */
export async function streamRun(
  call: RouteCall<'runEvents'>,
  { isOver, result, ...waited }: RunStream,
  place: ServerPlace,
): Promise<void> {
  const { feed } = waited;
  const { query, after } = call;
  const named = query.get('names') === 'seed' ? sevenNames : ownNames;
  const writer = call.frames();
  const stream = new ClientStream(
    writer,
    { after, naming: named(namingOptions(query)) },
    feed.last,
  );
  let leave = (): void => {};
  const asks = (one: OpenQuestion): void => send(writer, 'question', shownQuestion(one));
  const rest = (log: RecentEvents, isEnd: boolean) =>
    atRest({ stream, writer, feed, result }, log, isEnd);
  // Keeps the feed running even if its other followers leave meanwhile.
  const keep = feed.join(SILENT);
  try {
    const log = await untilBegun(waited, writer, place);
    if (log === null) return;
    // The records of an undo that was just made are not in the log yet.
    if (isOver && !feed.isWorking) await feed.read();
    await stream.catchUp(log, feed.journal, {
      breathe: breathing(place),
      join: () => {
        for (const question of feed.questions.values()) asks(question);
        send(writer, 'standing', standing(feed.isWorking));
        leave = feed.join({
          event: (numbered) => {
            const isResult = numbered.event.type === 'result';
            // This result was sent again for a client that came later.
            if (isResult && !feed.isWorking && stream.hasResult(feed.journal)) return;
            stream.event(numbered);
            // The process at work reports the result after its last record.
            if (stream.isAtRest && (isResult || !feed.isWorking)) void rest(log, stream.hasEnded);
          },
          lost: () => stream.lose(),
          question: asks,
          settled: (id) => send(writer, 'settled', { id }),
          works: (isWorking) => {
            send(writer, 'standing', standing(isWorking));
            if (stream.isAtRest && !isWorking) void rest(log, stream.hasEnded);
          },
          // The process of a paused run may have gone without a last word.
          woken: () => {
            if (stream.isAtRest && !feed.isWorking) void rest(log, stream.hasEnded);
          },
        });
      },
    });
    if (!feed.isWorking) await rest(log, isOver || stream.hasEnded);
    await untilGone(writer);
  } finally {
    keep();
    leave();
  }
}

interface Resting extends Pick<RunStream, 'feed' | 'result'> {
  readonly stream: ClientStream;
  readonly writer: FrameWriter;
}

/**
 * Ends or rests the stream: nobody works on the run.
 * @param isEnd true if the stream ends, too
 */
async function atRest(of: Resting, log: RecentEvents, isEnd: boolean): Promise<void> {
  const { stream, writer, feed, result } = of;
  if (!stream.hasResult(feed.journal)) {
    const before = log.last;
    const last = await result().catch(() => null);
    // Meanwhile the run was resumed, or the client left.
    if (feed.isWorking || writer.gone.aborted) return;
    if (!isEnd && log.last !== before) return atRest(of, log, isEnd);
    if (last !== null && !stream.hasResult(feed.journal)) feed.add(last);
  }
  if (isEnd) writer.bye('ended');
}

const standing = (isWorking: boolean) => ({ standing: isWorking ? 'running' : 'resting' });

/** The same for a conversation; its holder releases the stream at the end. */
export async function streamTalk(
  call: RouteCall<'sessionStream'>,
  talk: Talk,
  place: ServerPlace,
): Promise<void> {
  const { query } = call;
  const isObserver = query.get('observe') === '1';
  const isOwn = query.get('names') === 'tardigrade';
  const release = isObserver ? (): void => {} : talk.hold();
  const after = call.after ?? (isObserver && isOwn ? null : talk.delivered);
  const naming = isOwn ? ownNames(namingOptions(query)) : sevenNames(namingOptions(query));
  let leave = (): void => {};
  const { feed } = talk;
  const keep = feed.join(SILENT);
  try {
    const writer = call.frames();
    const stream = new ClientStream(writer, { after, naming }, feed.last);
    const asks = (question: OpenQuestion): void =>
      isOwn
        ? send(writer, 'question', shownQuestion(question))
        : send(writer, 'approval_required', required(question));
    const stands = (isWorking: boolean): void => {
      const data = standing(isWorking);
      if (isOwn) send(writer, 'standing', data);
      else send(writer, 'trace', { kind: 'standing', data });
    };
    const log = await untilBegun({ feed, neverBegins: () => false }, writer, place);
    if (log === null) return;
    await stream.catchUp(log, feed.journal, {
      breathe: breathing(place),
      join: () => {
        if (!isObserver) talk.delivered = log.last;
        for (const question of feed.questions.values()) asks(question);
        stands(feed.isWorking);
        leave = feed.join({
          event: (numbered) => {
            stream.event(numbered);
            if (!isObserver) talk.delivered = numbered.id;
          },
          lost: () => stream.lose(),
          question: asks,
          works: stands,
          settled: (id) => {
            if (isOwn) send(writer, 'settled', { id });
          },
        });
      },
    });
    await untilGone(writer);
  } finally {
    keep();
    leave();
    release();
  }
}

/** A question in the form of the earlier design. */
function required(question: OpenQuestion): object {
  const { callId, id, tool, input = null, target, reason, offered, folder, program } = question;
  const shownId = callId === '' ? id : callId;
  return {
    callId: shownId,
    tool,
    args: input,
    target,
    reason,
    rules: offered,
    cwd: folder,
    program,
  };
}

/** Reports the whole list first, then what changes. */
export async function streamAll(call: RouteCall<'events'>, everything: Everything): Promise<void> {
  const writer = call.frames();
  const leave = everything.join((event, data) => send(writer, event, data));
  await untilGone(writer);
  leave();
}
