/**
 * Plays back recorded turns as a provider.
 *
 * Owns its position in the recording. The next turn that matches answers a request, searched from that position on and
 * then from the start: a resumed run asks for turns in the middle.
 */
import { adviceIn } from '../../lib/errors.ts';
import { takes } from '../../lib/takes.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { type Candidate, DEFAULT_PROFILE } from '../failover/candidate.ts';
import { type ModelInfo, modelFault, type Provider, ProviderError } from '../provider.ts';
import { scrubber } from '../secrets/scrub.ts';
import {
  type AskedRequest,
  difference,
  equalMessages,
  recordedMessage,
  type WholeTurn,
} from './compare.ts';
import type { RecordedFailure, RecordedModel, RecordedReply, Recording } from './recording.ts';

export interface PlaybackOptions {
  /** Strings that were kept out of the recording, as far as they are known here. */
  readonly secrets?: readonly string[];
}

/** Plays a recording; throws if a request differs from the recorded one. */
export const recordedProvider = (recording: Recording, options: PlaybackOptions = {}): Provider =>
  recordedCandidates(recording, options)[0].provider;

/**
 * All models that the recorded run asked, in the order of their use, with one shared position: if the run switched to
 * another model or key, so does the run that plays it.
 */
export function recordedCandidates(
  recording: Recording,
  options: PlaybackOptions = {},
): readonly [Candidate, ...Candidate[]] {
  takes('recordedProvider', 'a recording', recording);
  const stream = playback(recording, options);
  const candidate = (way: RecordedModel, profile: string): Candidate => ({
    provider: providerOf(recording, way, stream),
    model: way.model,
    profile,
  });
  const further = (recording.others ?? []).map((way, index) => ({
    ...candidate(way, way.by ?? `way ${index + 2}`),
    // Set here, because a model of the same name is not asked about its capabilities.
    ...(way.info.capabilities.tools ? {} : { mode: 'json' as const }),
  }));
  return [candidate(recording, DEFAULT_PROFILE), ...further];
}

function playback(recording: Recording, options: PlaybackOptions): Provider['stream'] {
  const turns = wholeTurns(recording);
  const scrub = scrubber(options.secrets ?? []);
  let next = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const messages = request.messages.map((message) => scrub(recordedMessage(message)));
    const index = findTurn(turns, { ...request, messages }, next);
    next = index + 1;
    const { reply, failure } = turns[index]?.turn ?? { reply: null };
    for (const event of reply ? eventsOf(reply) : []) {
      if (signal.aborted) throw aborted();
      if (failure && event.type === 'finished') {
        yield { type: 'usage', usage: event.usage };
        break;
      }
      yield event;
    }
    if (failure) throw failed(failure);
  }

  return stream;
}

function providerOf(
  recording: Recording,
  way: RecordedModel,
  stream: Provider['stream'],
): Provider {
  // Whatever the reason was: a model that was asked with tools could lead by itself.
  const isPublic = recording.turns.some(({ request }) => request.tools !== null);
  return {
    name: recording.provider,
    stream,
    async describe(model): Promise<ModelInfo & { readonly isHosted?: true }> {
      if (model === way.model)
        return { model, ...way.info, ...windowOf(way), isPublic, isPlayed: true };
      throw modelFault(
        `The recording is of ${way.model}, not of ${model}.`,
        'Use the model of the recording.',
        { option: 'model', optionValue: way.model },
      );
    },
    list: async () => [way.model],
    ...(recording.loadedWindow === undefined
      ? {}
      : { loadedWindow: async () => recording.loadedWindow ?? null }),
    close: async () => undefined,
  };
}

/** The window. A played model does not run here, so its window may be as large as in the recording. */
const windowOf = ({
  numCtx,
}: RecordedModel): { readonly contextWindow?: number; readonly isHosted?: true } =>
  numCtx === undefined ? {} : { contextWindow: numCtx, isHosted: true };

const failed = (failure: RecordedFailure): ProviderError =>
  new ProviderError(failure.status, failure.message, failure.hint, adviceIn(failure));

const aborted = (): ProviderError =>
  new ProviderError({ kind: 'aborted' }, 'The request was cancelled.', '');

function wholeTurns(recording: Recording): readonly WholeTurn[] {
  const turns: WholeTurn[] = [];
  for (const turn of recording.turns) {
    const before = turns.at(-1)?.messages.slice(0, turn.request.keep) ?? [];
    turns.push({ turn, messages: [...before, ...turn.request.messages] });
  }
  return turns;
}

function findTurn(turns: readonly WholeTurn[], request: AskedRequest, next: number): number {
  const order = [...turns.keys()].map((offset) => (next + offset) % turns.length);
  for (const match of ['exact', 'shape'] as const) {
    const found = order.find((index) => {
      const whole = turns[index];
      const isMeant = match === 'exact' || whole?.turn.match === match;
      return whole !== undefined && isMeant && difference(request, whole, match) === null;
    });
    if (found !== undefined) return found;
  }
  throw mismatch(turns, request, order);
}

/** Compares with the turn that shares most with the request, and with the expected one among equals. */
function mismatch(
  turns: readonly WholeTurn[],
  request: AskedRequest,
  order: readonly number[],
): ProviderError {
  let [closest, most] = [order[0] ?? 0, -1];
  for (const index of order) {
    const whole = turns[index];
    const shared = whole ? equalMessages(request, whole) : -1;
    if (shared > most) [closest, most] = [index, shared];
  }
  const whole = turns[closest];
  const how = whole ? difference(request, whole) : 'the recording has no turns';
  return modelFault(
    `The request is not in the recording. Compared with turn ${closest + 1} of ${turns.length}: ${how}`,
    'Record the run again, or play it with the version and settings it was recorded with.',
  );
}

function* eventsOf(reply: RecordedReply): Generator<ModelEvent> {
  for (const text of pieces(reply.thinking ?? '')) yield { type: 'thinking', text };
  for (const text of pieces(reply.content)) yield { type: 'text', text };
  for (const call of reply.toolCalls ?? []) yield { type: 'tool_call', call };
  if (reply.opaque) yield { type: 'opaque', blocks: reply.opaque.blocks };
  const { reason, rawReason, usage } = reply;
  yield { type: 'finished', reason, rawReason, usage };
}

/** Words with the white space before them, as models write them. */
const pieces = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? [];
