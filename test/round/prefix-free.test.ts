/** What the server of a model that leads reads twice, over runs as such models make them. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { leading } from '../support/leading.ts';
import { runIn } from '../support/run-in.ts';
import {
  LARGE,
  type ScriptedCall,
  type ScriptedReply,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const done: ScriptedCall = { name: 'mark_subtask_complete', args: { success: true, reason: 'ok' } };
const read = (path: string): ScriptedCall => ({ name: 'read_file', args: { path } });
const cmd = (line: string): ScriptedCall => ({ name: 'run_cmd', args: { cmd: line } });
const edit = (path: string, from: string, to: string): ScriptedCall => ({
  name: 'edit_file',
  args: { path, old_text: from, new_text: to },
});
const saying = (...calls: readonly ScriptedCall[]): ScriptedReply => ({ text: 'Next.', calls });

const FILES = Array.from({ length: 8 }, (_, index) => `m${index}.mjs`);
const moduleText = (name: string): string =>
  `// ${name}\n${Array.from({ length: 40 }, (_, n) => `export const v${n} = ${n};`).join('\n')}\n`;

function project(): TestWorld {
  const world = testWorld((_args, _stdin, see) =>
    (see('m0.mjs') ?? '').includes('v1 = 100')
      ? { output: 'ok 1 - all is well', exitCode: 0 }
      : { output: `not ok 1 - v1\n${'at some line\n'.repeat(2000)}`, exitCode: 1 },
  );
  for (const name of FILES) world.write(name, moduleText(name));
  return world;
}

type Looks = readonly (readonly ScriptedCall[])[];

/** A subtask a file: looked at, changed, tried. */
const STEPS = FILES.map((file) => ({ action: 'edit_file', file, purpose: 'v1 becomes 100' }));
const MENDING = FILES.flatMap((file) => [
  saying(read(file), read('m0.mjs')),
  saying(edit(file, 'const v1 = 1;', 'const v1 = 100;'), cmd('node m0.mjs')),
  saying(done),
]);

/** Long looks before the plan. */
const LOOKS: Looks = [
  [read('m0.mjs'), { name: 'search_text', args: { pattern: 'v1' } }],
  [cmd('node m0.mjs'), read('m1.mjs')],
  FILES.slice(2).map(read),
  [cmd('git status'), read('m0.mjs')],
];

/** Long looks after it, with an answer that is cut off, and what was cut read on. */
const LOOKING = [
  saying(...FILES.slice(0, 4).map(read)),
  { ...saying(...FILES.slice(4).map(read)), isCutOff: true },
  saying(cmd('node m0.mjs')),
  ...Array.from({ length: 6 }, (_, n) =>
    saying({ name: 'read_output', args: { from: 1 + n * 40 } }),
  ),
  saying(read('m0.mjs'), edit('m0.mjs', 'const v1 = 1;', 'const v1 = 100;')),
  ...Array.from({ length: 6 }, (_, n) =>
    saying(edit(`m${n + 1}.mjs`, 'const v1 = 1;', 'const v1 = 100;')),
  ),
  saying(cmd('node m0.mjs'), done),
];

const RUNS = [
  {
    name: 'a survey, and a subtask for each of eight files',
    steps: STEPS,
    replies: MENDING,
    looks: LOOKS,
  },
  {
    name: 'looks on both sides of the plan, a cut answer, one subtask',
    ...{ steps: STEPS.slice(0, 1), replies: LOOKING, looks: LOOKS },
  },
];

/** As a template puts it: tools, system prompt, then the messages; the end is open. */
const promptOf = ({ tools, messages }: ModelRequest): string =>
  JSON.stringify([tools ?? [], ...messages]).slice(0, -1);

describe.each(RUNS)('the prompts of a model that leads: $name', ({ steps, replies, looks }) => {
  it('come to nine tenths from the start of the one before', async () => {
    let next = -1;
    const work = () => {
      next += 1;
      return replies[next] ?? saying(done);
    };
    const script = leading({ subtasks: steps }, work, looks);
    const provider = scriptedProvider(script, { ...LARGE, contextWindow: 131_072 });
    const wanted = { goal: 'Let v1 be 100', toolMode: 'native' } as const;
    const options = { ...wanted, maxRounds: 60, contextWindow: 131_072 };
    const { result, records } = await runIn(project(), provider, options);
    expect(result.ending).toBe('unverified');
    expect(records.some(({ type }) => type === 'compacted')).toBe(false);
    const plan = records.findIndex(({ type }) => type === 'plan_set');
    const before = records.slice(0, plan).filter(({ type }) => type === 'turn_finished');
    expect(before).toHaveLength(looks.length + 1);
    const prompts = provider.requests.map(promptOf);
    for (const [index, prompt] of prompts.slice(1).entries())
      expect(prompt.startsWith(prompts[index] ?? '')).toBe(true);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
    const again = sum(prompts.slice(0, -1).map(({ length }) => length));
    const share = again / sum(prompts.map(({ length }) => length));
    expect(share).toBeGreaterThanOrEqual(0.9);
  });
});
