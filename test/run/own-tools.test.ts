import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type PlainTool, type Toolset, tool } from '../../src/tools/own/plain-tool.ts';
import { asked, callingOwn, runWith, SEND } from '../support/own-tools.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

/** As a program writes it, with a zod of its own. */
const weather = (seen: unknown[] = []): PlainTool =>
  tool({
    name: 'weather',
    description: 'The weather of a city.',
    inputSchema: z.object({ city: z.string().trim(), days: z.number().int().default(1) }),
    touches: 'network',
    execute: (input, { workspace }) => {
      seen.push([input.city, input.days, workspace]);
      return { degrees: 7 };
    },
  });

const ASK_WEATHER = { name: 'weather', args: { city: ' Rome ' } };

describe('a tool of the embedding program', () => {
  it('is told to the model by its schema, called with what that makes of the call, and its result told', async () => {
    const seen: unknown[] = [];
    const provider = callingOwn(ASK_WEATHER);
    const { resultsOf, events } = await runWith(testWorld(), provider, { tools: [weather(seen)] });
    expect(seen).toEqual([['Rome', 1, expect.stringContaining('ws')]]);
    expect(resultsOf('weather')).toMatchObject([{ status: 'ok', result: '{"degrees":7}' }]);
    const told = provider.requests[0]?.tools?.find(({ name }) => name === 'weather');
    expect(told).toMatchObject({
      description: 'The weather of a city.',
      parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
    });
    // What the model wrote is what the journal has.
    const intended = events.find(
      (event) => event.type === 'record' && event.record.type === 'action_intended',
    );
    expect(intended).toMatchObject({ record: { tool: 'weather', args: { city: ' Rome ' } } });
  });

  it('finds a path in the workspace as the built-in tools do, and the model is told why another is refused', async () => {
    const world = testWorld();
    world.write('notes/a.txt', 'a');
    const found: string[] = [];
    const find = tool<{ path: string }>({
      ...{ name: 'find_it', description: 'Finds a file.', touches: 'reads' },
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      execute: ({ path }, { resolve }) => {
        found.push(resolve(path, { forWrite: true }));
      },
    });
    const paths = ['notes/a.txt', '../out.txt', '/etc/passwd', '.agent_context/state.json'];
    const calls = paths.map((path) => ({ name: 'find_it', args: { path } }));
    const { resultsOf } = await runWith(world, callingOwn(...calls), { tools: [find] });
    expect(found).toEqual([join(WORKSPACE, 'notes', 'a.txt')]);
    expect(resultsOf('find_it')).toMatchObject([
      { status: 'ok' },
      { status: 'error', result: expect.stringContaining('../out.txt is refused') },
      { status: 'error', result: expect.stringContaining('/etc/passwd is refused') },
      { status: 'error', result: expect.stringContaining('is refused') },
    ]);
  });

  it('may be described by JSON Schema, or by a library whose schemas are functions and take time', async () => {
    const slow = Object.assign(() => {}, {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) =>
          (value as { n?: unknown }).n === 1
            ? { value }
            : { issues: [{ message: 'must be one', path: [{ key: 'n' }] }] },
      },
    });
    const jsonSchema = { type: 'object', properties: { n: { type: 'number' } } };
    const told: unknown[] = [];
    const count: PlainTool = {
      ...{ name: 'count', description: 'Counts.', inputSchema: slow, jsonSchema, touches: 'reads' },
      execute: (input) => void told.push(input),
    };
    const calls = [1, 2].map((n) => ({ name: 'count', args: { n } }));
    const { resultsOf } = await runWith(testWorld(), callingOwn(...calls), { tools: [count] });
    expect(told).toEqual([{ n: 1 }]);
    expect(resultsOf('count')).toMatchObject([
      { status: 'ok', result: 'Done.' },
      { status: 'error', result: 'n: must be one.' },
    ]);
  });

  it('is not called with what does not fit, and the model is told what is wrong', async () => {
    const seen: unknown[] = [];
    const wrong = { name: 'weather', args: { days: 2 } };
    const { resultsOf } = await runWith(testWorld(), callingOwn(wrong), { tools: [weather(seen)] });
    expect(seen).toEqual([]);
    expect(resultsOf('weather')).toMatchObject([
      { status: 'error', facts: { fault: 'arguments' } },
    ]);
    expect(resultsOf('weather')[0]?.result).toContain('city: ');
  });

  it('that throws, or does not end, is a failed call and no failed run', async () => {
    const failing: PlainTool = { ...weather(), execute: () => Promise.reject(new Error('no net')) };
    let aborted = false;
    const hanging: PlainTool = {
      ...weather(),
      ...{ name: 'forever', timeoutMs: 1000 },
      execute: (_input, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
    };
    const calls = [ASK_WEATHER, { name: 'forever', args: { city: 'Rome' } }];
    const told = await runWith(testWorld(), callingOwn(...calls), { tools: [failing, hanging] });
    expect(told.resultsOf('weather')).toMatchObject([
      { status: 'error', result: 'weather failed: no net' },
    ]);
    expect(told.resultsOf('forever')).toMatchObject([{ status: 'timeout' }]);
    expect(aborted).toBe(true);
    expect(told.result.ending).not.toBe('paused');
  });

  it.each<readonly [string, unknown]>([
    ['an object that holds itself', Object.assign([] as unknown[], { 0: null })],
    ['a big number', { rows: 10n }],
  ])('whose answer is no JSON is told as carried out: %s', async (_what, answer) => {
    if (Array.isArray(answer)) answer[0] = answer;
    const odd: PlainTool = { ...weather(), execute: () => answer };
    const { resultsOf } = await runWith(testWorld(), callingOwn(ASK_WEATHER), { tools: [odd] });
    expect(resultsOf('weather')).toMatchObject([
      { status: 'error', result: expect.stringContaining('weather was carried out, but') },
    ]);
  });

  it('that touches nothing may be called before there is a plan, as one that reads', async () => {
    const called: string[] = [];
    const tools = (['nothing', 'reads', 'network'] as const).map(
      (touches): PlainTool => ({
        ...weather(),
        ...{ name: touches, touches, execute: () => void called.push(touches) },
      }),
    );
    const calls = tools.map(({ name }) => ({ name, args: { city: 'Rome' } }));
    const calling = scriptedProvider(
      ({ messages }) => (messages.some(({ role }) => role === 'tool') ? 'Fine.' : { calls }),
      LARGE,
    );
    await runWith(testWorld(), calling, { tools });
    expect(called).toEqual(['nothing', 'reads']);
  });

  it('is refused where its schema cannot be told', async () => {
    const dated: PlainTool = { ...weather(), inputSchema: z.object({ at: z.date() }) };
    const run = runWith(testWorld(), callingOwn(ASK_WEATHER), { tools: [dated] });
    await expect(run).rejects.toMatchObject({
      code: 'E_USAGE',
      message: expect.stringContaining('Date cannot be represented'),
      hint: 'Give that as jsonSchema beside it.',
    });
  });

  it('is cut in the middle where its result is too long, and kept whole', async () => {
    const long: PlainTool = { ...weather(), execute: () => 'x'.repeat(20_000) };
    const options = { tools: [long], maxToolResultChars: 1000 };
    const { resultsOf, events } = await runWith(testWorld(), callingOwn(ASK_WEATHER), options);
    const [{ result } = { result: '' }] = resultsOf('weather');
    expect(String(result).length).toBeLessThanOrEqual(1000);
    expect(events.some((event) => event.type === 'record' && event.record.type === 'note')).toBe(
      true,
    );
  });

  it('is asked about where it does not say what it reaches, unless a rule allows it', async () => {
    const sent: string[] = [];
    const send = asked(({ to }) => void sent.push(to));
    const nobody = await runWith(testWorld(), callingOwn(SEND, SEND), { tools: [send] });
    expect(nobody.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(nobody.result.state.permissions?.open).toMatchObject([{ rules: ['tool(send)'] }]);
    expect(sent).toEqual([]);
    await runWith(testWorld(), callingOwn(SEND), { tools: [send], allow: ['tool(send)'] });
    expect(sent).toEqual(['ada']);
    const told = await runWith(testWorld(), callingOwn(ASK_WEATHER), {
      ...{ tools: [weather()], deny: ['tool(weather)'] },
    });
    expect(told.resultsOf('weather')).toMatchObject([{ status: 'denied' }]);
  });

  it.each([
    ['unknown', 1],
    ['repeat', 2],
  ] as const)('of which a crash hid the outcome: %s', async (afterCrash, times) => {
    const world = testWorld();
    const dying = world.machine();
    let calls = 0;
    const once: PlainTool = {
      ...weather(),
      afterCrash,
      execute: () => {
        calls += 1;
        if (calls === 1) dying.kill();
        return 'sunny';
      },
    };
    const first = runWith(world, callingOwn(ASK_WEATHER), { tools: [once], machine: dying });
    await expect(first).rejects.toThrow();
    const again = await runWith(world, callingOwn(ASK_WEATHER), { tools: [once] });
    expect(calls).toBe(times);
    const [outcome] = again.resultsOf('weather');
    expect(outcome?.status).toBe(afterCrash === 'repeat' ? 'ok' : 'interrupted');
  });

  it('that is not there any more when the run goes on says so to whoever calls it', async () => {
    const world = testWorld();
    const first = { tools: [weather()], maxRounds: 1 };
    expect((await runWith(world, callingOwn(ASK_WEATHER, ASK_WEATHER), first)).result.ending).toBe(
      'paused',
    );
    const told = await runWith(world, callingOwn(ASK_WEATHER, ASK_WEATHER), {
      tools: [asked(() => '')],
    });
    const notices = told.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
    expect(notices.join('\n')).toContain('Not there: weather');
    expect(notices.join('\n')).toContain('New, and not told: send');
    expect(told.resultsOf('weather').at(-1)?.result).toContain('is not there any more');
  });
});

describe('a source of tools', () => {
  it('is opened once, and closed however the run ends', async () => {
    const told: string[] = [];
    const set: Toolset = {
      name: 'shop',
      tools: async () => {
        told.push('opened');
        return [weather()];
      },
      close: () => void told.push('closed'),
    };
    const { resultsOf } = await runWith(testWorld(), callingOwn(ASK_WEATHER), { tools: [set] });
    expect(resultsOf('weather')).toMatchObject([{ status: 'ok' }]);
    expect(told).toEqual(['opened', 'closed']);
  });

  it.each<[string, Toolset['tools']]>([
    ['rejects', () => Promise.reject(new Error('no login'))],
    [
      'throws',
      () => {
        throw new Error('no login');
      },
    ],
  ])('that cannot be opened ends the start, and says why: it %s', async (_how, tools) => {
    const call = runWith(testWorld(), callingOwn(ASK_WEATHER), {
      tools: [{ name: 'shop', tools }],
    });
    await expect(call).rejects.toMatchObject({ code: 'E_USAGE', message: /shop.*no login/ });
  });
});

it.each<[string, unknown]>([
  ['no object', null],
  ['a name that no API takes', { ...weather(), name: 'what weather' }],
  ['the name of another tool', { ...weather(), name: 'read_file' }],
  ['no description', { ...weather(), description: ' ' }],
  ['no schema', { ...weather(), inputSchema: undefined }],
  ['nothing to carry out', { ...weather(), execute: undefined }],
  [
    'a schema that does not tell its JSON Schema',
    {
      ...weather(),
      inputSchema: { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } },
    },
  ],
])('what is no tool is refused before the model is asked: %s', async (_what, wrong) => {
  const provider = callingOwn(ASK_WEATHER);
  const call = runWith(testWorld(), provider, { tools: [wrong as PlainTool] });
  await expect(call).rejects.toMatchObject({ code: 'E_USAGE' });
  expect(provider.requests).toEqual([]);
});

describe('a call that hangs', () => {
  it('ends with the time of the run', async () => {
    const world = testWorld();
    const machine = world.machine();
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let isAborted = false;
    const hanging = asked(() => 'never', {
      ...{ touches: 'network', timeoutMs: 600_000 },
      execute: (_input, { signal }) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        begin();
        return new Promise(() => {});
      },
    });
    // The time of the run is over once the call has begun.
    const clock = {
      ...machine.clock,
      sleep: (ms: number, signal?: AbortSignal) =>
        ms === 20_000 ? begun : machine.clock.sleep(ms, signal),
    };
    const { resultsOf } = await runWith(world, callingOwn(SEND), {
      ...{ tools: [hanging], maxTimeMs: 20_000, machine: { ...machine, clock } },
    });
    expect(resultsOf('send')[0]).toMatchObject({ status: 'cancelled' });
    expect(isAborted).toBe(true);
  });
});
