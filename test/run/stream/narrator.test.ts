import { describe, expect, test } from 'vitest';
import type { Provider } from '../../../src/llm/provider.ts';
import { createNarrator } from '../../../src/run/stream/narrator.ts';
import { errorBody, resultBody } from '../../../src/run/stream/result-body.ts';
import type { RunEvent } from '../../../src/schema/events/events.ts';
import { readStreamEvent, type StreamEvent } from '../../../src/schema/events/stream.ts';
import type { ModelEvent } from '../../../src/schema/model/turn.ts';
import { leading } from '../../support/leading.ts';
import { runIn, type Told } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const END = { elapsedMs: 7, workspace: WORKSPACE, resume: 'agent resume' };
const GOAL = 'write greet.mjs: node greet.mjs prints "hello"';
const LONG = `console.log("hello");\n${'// more\n'.repeat(2000)}`;

function stream(events: readonly RunEvent[], end?: Told['result']): readonly StreamEvent[] {
  const written: StreamEvent[] = [];
  const narrator = createNarrator({ goal: GOAL, workspace: WORKSPACE }, (event) => {
    // As readers get it.
    const read = readStreamEvent(JSON.parse(JSON.stringify(event)));
    if (read !== null) written.push(read);
  });
  for (const event of events) narrator.emit(event);
  if (end) narrator.end(resultBody(end, END), end.state);
  return written;
}

const WORK = {
  subtasks: [{ action: 'write_file', file: 'greet.mjs', purpose: 'greets' }],
  verify: { cmd: 'node greet.mjs', prints: 'hello' },
};

/** Calls come in pieces, as over a wire. */
function runInterruptibly(provider: Provider): Provider {
  async function* stream(...args: Parameters<Provider['stream']>): AsyncIterable<ModelEvent> {
    for await (const event of provider.stream(...args)) {
      if (event.type === 'tool_call') {
        yield { type: 'tool_call_started', index: 0, name: event.call.name };
        yield { type: 'tool_call_arguments', index: 0, text: JSON.stringify(event.call.args) };
      }
      yield event;
    }
  }
  return { ...provider, stream };
}

async function work(options: Parameters<typeof runIn>[2] = {}): Promise<Told> {
  const write = { name: 'write_file', args: { path: 'greet.mjs', content: LONG } };
  const end = { name: 'mark_subtask_complete', args: { success: true, reason: 'written' } };
  let next = -1;
  const script = leading(WORK, () => {
    next += 1;
    return { text: 'So.', calls: [next === 0 ? write : end] };
  });
  const provider = runInterruptibly(scriptedProvider(script, LARGE));
  return runIn(testWorld(), provider, { goal: GOAL, toolMode: 'native', ...options });
}

describe('the stream of a run', () => {
  test('begins with who works, on what and what it may do, and ends with the one result', async () => {
    const { events, result } = await work();
    const told = stream(events, result);
    expect(told[0]).toMatchObject({
      ...{ v: 1, type: 'started', run: result.state.run, goal: GOAL, workspace: WORKSPACE },
      ...{ number: 1, resumed: false, permissions: { asks: 'nobody' } },
      model: { model: 'scripted:1b', profile: 'default', toolMode: 'native' },
    });
    const ends = told.filter(({ type }) => type === 'started' || type === 'result');
    expect(ends.map(({ type }) => type)).toEqual(['started', 'result']);
    expect(told.at(-1)).toMatchObject({ type: 'result', run: result.state.run, exitCode: 0 });
  });

  test('wraps every record once, and says what it means with the same number', async () => {
    const { events, records, result } = await work();
    const told = stream(events, result);
    const wrapped = told.flatMap((event) => (event.type === 'record' ? [event] : []));
    expect(wrapped.map(({ seq }) => seq)).toEqual(records.map(({ seq }) => seq));
    expect(wrapped.every(({ seq, record }) => seq === record.seq)).toBe(true);
    for (const event of told) {
      if (event.seq === undefined || event.type === 'record') continue;
      expect(wrapped.find(({ seq }) => seq === event.seq)).toBeDefined();
    }
  });

  test('tells of calls as they come, whole before they are carried out, and of their results', async () => {
    const { events, result } = await work();
    const told = stream(events, result);
    const at = (type: string, id: string) =>
      told.findIndex((event) => {
        const { id: own, callId } = event as { id?: string; callId?: string };
        return event.type === type && (own === id || callId === id);
      });
    const ready = told.find(
      (event) => event.type === 'tool_call_ready' && event.name === 'write_file',
    );
    if (ready?.type !== 'tool_call_ready') throw new Error('no call');
    expect(ready.args).toEqual({ path: 'greet.mjs', content: LONG });
    const order = ['tool_call_ready', 'tool_started', 'tool_result'].map((type) =>
      at(type, ready.id),
    );
    expect(order.every((place) => place > 0)).toBe(true);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(told.some(({ type }) => type === 'tool_call_started')).toBe(true);
    const checks = told.filter(({ type }) => type === 'check');
    expect(checks.slice(0, 2)).toMatchObject([{ isProof: false }, { isProof: true }]);
    expect(told.find(({ type }) => type === 'subtask_finished')).toMatchObject({
      status: 'completed',
    });
  });

  test('names the run also where it ended before it had a model', async () => {
    const { events, result } = await work();
    const opening = events.slice(0, 1);
    const told = stream(opening, {
      ...result,
      ending: 'paused',
      why: 'interrupted',
    } as Told['result']);
    expect(told.map(({ type }) => type)).toEqual(['started', 'record', 'result']);
    expect(told.at(-1)).toMatchObject({
      exitCode: 130,
      why: 'interrupted',
      resume: 'agent resume',
    });
  });

  test('of a run that is finished already is its first and its last event', async () => {
    const { result } = await work();
    const again = { ...result, ending: 'already_finished', detail: 'achieved' } as const;
    expect(stream([], again)).toMatchObject([
      { type: 'started', run: result.state.run, resumed: true, permissions: null },
      { type: 'result', ending: 'already_finished', exitCode: 0 },
    ]);
  });

  test('of a call that opened nothing is the result alone, of nobody, once', () => {
    const written: StreamEvent[] = [];
    const narrator = createNarrator({ goal: GOAL, workspace: WORKSPACE }, (event) => {
      written.push(event);
    });
    const error = {
      exitCode: 8,
      code: 'E_LOCKED',
      message: 'Process 12 works here.',
      hint: 'Wait.',
    };
    narrator.end(errorBody(error, null));
    narrator.end(errorBody(error, null));
    narrator.emit({ type: 'notice', level: 'info', text: 'too late' });
    expect(written).toEqual([
      {
        ...{ v: 1, run: null, type: 'result', exitCode: 8, ending: 'error', resume: null },
        error: { code: 'E_LOCKED', message: 'Process 12 works here.', hint: 'Wait.' },
      },
    ]);
  });

  test('brings long texts whole, and the record as it is on disk', async () => {
    const told = stream((await work({ maxToolResultChars: 30_000 })).events);
    const asked = told.find(
      (event) => event.type === 'record' && event.record.type === 'action_intended',
    );
    expect(asked).toMatchObject({ record: { args: { content: { length: LONG.length } } } });
  });
});

test('the arguments of a call do not bring a key in two pieces', async () => {
  const { redactedEmit } = await import('../../../src/run/redacted-emit.ts');
  const { redactor } = await import('../../../src/llm/secrets/redactor.ts');
  const told: RunEvent[] = [];
  const emit = redactedEmit<RunEvent>(
    (event) => told.push(event),
    redactor(['sk-0123456789abcdef']),
  );
  const piece = (index: number, text: string) => emit({ type: 'tool_call_arguments', index, text });
  piece(0, '{"a":"sk-01234');
  piece(0, '56789abcdef"}');
  piece(1, '{}');
  emit({ type: 'notice', level: 'info', text: 'end' });
  const texts = told.flatMap((event) =>
    event.type === 'tool_call_arguments' ? [[event.index, event.text]] : [],
  );
  expect(
    texts
      .filter(([index]) => index === 0)
      .map(([, text]) => text)
      .join(''),
  ).toBe('{"a":"[secret removed]"}');
  expect(texts.at(-1)).toEqual([1, '{}']);
});
