// What a real llama.cpp server answered with, by the name of what was asked, and how a fake plays it.
import recordings from '../fixtures/recorded-wire/llama-server.json' with { type: 'json' };
import type { AnthropicReply } from './fake-anthropic-replies.ts';
import type { OpenAiReply } from './fake-openai.ts';

export type WireRecording = keyof typeof recordings;

export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
  /** How many bytes came at once; left out where all came at once. */
  readonly pieces?: readonly number[];
  /** The connection broke behind the body. */
  readonly ending?: string;
}

export const wireRecordings = Object.keys(recordings) as readonly WireRecording[];

export const recordedAnswer = (name: WireRecording): RecordedAnswer => recordings[name];

/** The bytes as they came. */
export function recordedPieces({ body, pieces }: RecordedAnswer): readonly Uint8Array[] {
  const bytes = Buffer.from(body);
  let start = 0;
  return (pieces ?? [bytes.length]).map((length) => {
    start += length;
    return bytes.subarray(start - length, start);
  });
}

export function recordedOpenAiReply(name: WireRecording): OpenAiReply {
  const answer = recordedAnswer(name);
  const { status, contentType, body, ending } = answer;
  const headers = { 'content-type': contentType ?? '' };
  return contentType === 'text/event-stream'
    ? { stream: recordedPieces(answer), headers, isCut: ending === 'cut' }
    : { status, body, headers };
}

export function recordedAnthropicReply(name: WireRecording): AnthropicReply {
  const answer = recordedAnswer(name);
  const { status, contentType, body, ending } = answer;
  if (contentType !== 'text/event-stream') {
    return { error: { status, body, headers: { 'content-type': contentType ?? '' } } };
  }
  return { raw: recordedPieces(answer), ...(ending === 'cut' ? { cut: 'after content' } : {}) };
}
