/** What programs are told of scripted runs and conversations, held to the schema of events. */
import { expect } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import { createNarrator } from '../../src/run/stream/narrator.ts';
import { resultBody } from '../../src/run/stream/result-body.ts';
import { readStreamEvent, type StreamEvent } from '../../src/schema/events/stream.ts';
import type { RunIn } from './run-in.ts';

/** Works a run to its end as usual, and adds what a program is told of it; a killed one has no result. */
export function narrating(streams: StreamEvent[][]): NonNullable<RunIn['works']> {
  return async (options) => {
    const { goal, workspace } = options;
    const stream: StreamEvent[] = [];
    streams.push(stream);
    const narrator = createNarrator({ goal, workspace }, (event) => stream.push(event));
    const emit: RunIn['emit'] = (event) => {
      narrator.emit(event);
      options.emit?.(event);
    };
    const result = await runGoal({ ...options, emit });
    narrator.end(resultBody(result, { elapsedMs: 0, workspace, resume: null }), result.state);
    return result;
  };
}

/** @param all what was told of one thing after the other, each from its first event on */
export function streamsIn(all: readonly StreamEvent[]): readonly (readonly StreamEvent[])[] {
  const streams: StreamEvent[][] = [];
  for (const event of all) {
    if (event.type === 'started') streams.push([]);
    streams.at(-1)?.push(event);
  }
  return streams;
}

/** Every event is as the schema says and says no more; each stream has its first event and one last. */
export function expectToFit(stream: readonly StreamEvent[]): void {
  const read = stream.map((event) => JSON.parse(JSON.stringify(event)));
  expect(read.map((event) => readStreamEvent(event))).toEqual(read);
  const [first] = stream;
  expect(first?.type).toBe('started');
  const places = stream.flatMap(({ type }, at) => (type === 'result' ? [at] : []));
  expect(places.filter((at) => at < stream.length - 1)).toEqual([]);
  expect(new Set(stream.map(({ run }) => run))).toEqual(new Set([first?.run]));
  let said = 0;
  for (const event of stream) {
    if (event.type === 'record') said = event.record.seq;
    if (event.seq !== undefined) expect(event.seq).toBe(said);
  }
}
