/**
 * Goals that a capable model answered from the requests alone, by a run and by a plain loop: what it was
 * sent and what it said (test/fixtures/strong). A recording is one line of JSON with what stays the
 * same, and one for each turn with what is new in its request.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ScriptedCall } from './scripted-provider.ts';

export const STRONG = resolve('test/fixtures/strong');

export interface StrongGoal {
  /** Of the folder with the project; where there is none, it begins empty. */
  readonly name: string;
  readonly kind: string;
  readonly goal: string;
}

export const STRONG_GOALS: readonly StrongGoal[] = JSON.parse(
  readFileSync(join(STRONG, 'goals.json'), 'utf8'),
);

export const LED_BY = ['free', 'loop'] as const;
export type LedBy = (typeof LED_BY)[number];

export interface Answer {
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
}

export interface RecordedTurn {
  /** How many messages are those of the request before. */
  readonly kept: number;
  readonly sent: readonly object[];
  readonly answer: Answer;
}

export interface StrongRecording {
  readonly tools: readonly object[];
  readonly turns: readonly RecordedTurn[];
}

/** What a wire carries of a request, and what it costs. */
export interface WireRequest {
  readonly tools?: readonly object[];
  readonly messages: readonly object[];
}

/** Four characters are a token: the same measure for both. */
export const tokensOf = ({ tools = [], messages }: WireRequest): number =>
  Math.round((JSON.stringify(tools).length + JSON.stringify(messages).length) / 4);

export interface Cost {
  readonly turns: number;
  readonly tokens: number;
}

export const costOf = (requests: readonly WireRequest[]): Cost => ({
  turns: requests.length,
  tokens: requests.reduce((sum, request) => sum + tokensOf(request), 0),
});

export function requestsOf({ tools, turns }: StrongRecording): readonly WireRequest[] {
  let messages: readonly object[] = [];
  return turns.map(({ kept, sent }) => {
    messages = [...messages.slice(0, kept), ...sent];
    return { tools, messages };
  });
}

const fileOf = (name: string, ledBy: LedBy): string =>
  join(STRONG, 'recordings', `${name}-${ledBy}.jsonl`);

export function readStrong(name: string, ledBy: LedBy): StrongRecording {
  const [head = '', ...lines] = readFileSync(fileOf(name, ledBy), 'utf8').trimEnd().split('\n');
  const { tools } = JSON.parse(head);
  return { tools, turns: lines.map((line) => JSON.parse(line)) };
}

export const strongText = ({ tools, turns }: StrongRecording): string =>
  [{ tools }, ...turns].map((one) => `${JSON.stringify(one)}\n`).join('');
