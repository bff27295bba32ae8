import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { jsonLine } from '../../../src/cli/json-line.ts';
import { createSession } from '../../../src/host/library/create-session.ts';
import { type Provider, ProviderError } from '../../../src/llm/provider.ts';
import {
  readStreamEvent,
  type StreamEvent,
  type StreamType,
  streamTypes,
} from '../../../src/schema/events/stream.ts';
import { type ModelEvent, NO_USAGE } from '../../../src/schema/model/turn.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
import { type TestMachine, testWorld, WORKSPACE } from '../../support/test-machine.ts';

/** Only a run has a plan. */
const OF_RUNS: readonly StreamType[] = [
  ...(['plan', 'subtask_started', 'subtask_finished', 'check'] as const),
  ...(['trial_started', 'trials_skipped'] as const),
];

const call = (name: string, args: Record<string, unknown>): ModelEvent[] => [
  { type: 'tool_call_started', index: 0, name },
  { type: 'tool_call_arguments', index: 0, text: JSON.stringify(args) },
  { type: 'tool_call', call: { id: `c-${name}-${Object.values(args).join()}`, name, args } },
  { type: 'finished', reason: 'tool_calls', rawReason: 'tool_calls', usage: NO_USAGE },
];

const saying = (text: string): ModelEvent[] => [
  { type: 'prompt_read', percent: 50 },
  { type: 'thinking', text: 'Hm. ' },
  { type: 'text', text },
  { type: 'finished', reason: 'stop', rawReason: 'stop', usage: NO_USAGE },
];

const failing = (kind: 'invalid_response' | 'auth_failed' | 'context_overflow') =>
  new ProviderError({ kind }, `It is ${kind}.`, 'Do something.');

/** What it streams, request by request; then it has no key any more. */
function streaming(...script: readonly (readonly ModelEvent[] | ProviderError)[]): Provider {
  let n = 0;
  return {
    ...scriptedProvider(() => '', LARGE),
    async *stream() {
      const reply = script[n] ?? failing('auth_failed');
      n += 1;
      if (reply instanceof Error) throw reply;
      yield* reply;
    },
  };
}

/** One that hears its programs while they work, as a real one does. */
const heard = (machine: TestMachine): TestMachine => ({
  ...machine,
  processes: (...of) => {
    const runner = machine.processes(...of);
    return {
      ...runner,
      run: (request, hooks) => {
        hooks.onOutput('said');
        return runner.run(request, hooks);
      },
    };
  },
});

/** A conversation in which everything happens that can be told of one, as the lines of `--json`. */
async function allThatIsTold(): Promise<readonly string[]> {
  const world = testWorld();
  world.write('big.txt', 'a line of a file\n'.repeat(2_000));
  world.write('say.js', 'console.log("said")');
  const provider = streaming(
    call('read_file', { path: 'big.txt' }),
    failing('context_overflow'),
    call('run_cmd', { cmd: 'node say.js' }),
    call('write_file', { path: '.github/a.yml', content: 'a' }),
    failing('invalid_response'),
    saying('Done.'),
  );
  const spare = { ...scriptedProvider(() => 'Here I am.', LARGE), name: 'spare' };
  const lines: string[] = [];
  const session = await createSession({
    ...{ workspace: WORKSPACE, machine: heard(world.machine()), provider, model: SCRIPTED_MODEL },
    fallbacks: [{ provider: spare, model: SCRIPTED_MODEL, profile: 'spare' }],
    ...{ name: 'talk', maxRetries: 3, maxToolResultChars: 30_000 },
    ask: async () => ({ kind: 'run' }),
    onEvent: (event) => lines.push(jsonLine(event)),
  });
  await session.send('Look, run, write');
  await session.send('And now?');
  await session.send(' ').catch(() => {});
  await session.close();
  return lines;
}

test('every line of a conversation fits the JSON Schema of the package, and none says more than it names', async () => {
  const schema = z.fromJSONSchema(
    JSON.parse(readFileSync('src/schema/events/events.schema.json', 'utf8')),
  );
  const lines = await allThatIsTold();
  const events = lines.map((line) => JSON.parse(line) as StreamEvent);
  for (const event of events) {
    expect(schema.safeParse(event).error?.issues, JSON.stringify(event)).toBeUndefined();
    expect(readStreamEvent(event)).toEqual(event);
  }
  const seen = new Set(events.map(({ type }) => type));
  expect(streamTypes().filter((type) => !seen.has(type))).toEqual(OF_RUNS);
  // It would say no.
  const [first] = events;
  for (const wrong of [
    { ...first, v: 2 },
    { ...first, workspace: 7 },
    { ...first, type: 'x' },
  ])
    expect(schema.safeParse(wrong).success).toBe(false);
});
