import type { ModelRequest } from '../src/schema/model/turn.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { type EngineRun, engineRun } from './support/engine-run.ts';
import { rounded } from './support/statistics.ts';

/** Runs by the window they are held in; the first two are compacted several times. */
const RUNS = [
  { contextWindow: 4096, files: 24 },
  { contextWindow: 8192, files: 30 },
  { contextWindow: 32_768, files: 30 },
];
const BOUND_PERCENT = 90;

/** A prompt as a model reads it: tools, then the messages in order. */
function promptOf({ messages, tools = [] }: ModelRequest): string {
  return [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))].join('\n');
}

function commonLength(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** Of each request, how much of the one before it is its beginning, in percent. */
function reuse({ requests, changedBefore }: EngineRun): { between: number; whole: number } {
  const prompts = requests.map(promptOf);
  let [kept, previous, keptOfAll, sent] = [0, 0, 0, 0];
  for (let index = 1; index < prompts.length; index += 1) {
    const [before = '', now = ''] = [prompts[index - 1], prompts[index]];
    const common = commonLength(before, now);
    keptOfAll += common;
    sent += now.length;
    if (changedBefore.has(index)) continue;
    kept += common;
    previous += before.length;
  }
  return { between: (100 * kept) / previous, whole: (100 * keptOfAll) / sent };
}

export const prefixReuse: Measurement = {
  name: 'prefix reuse',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const { contextWindow, files } of RUNS) {
      for (const toolMode of ['native', 'json'] as const) {
        const run = await engineRun({ workspace: lab.folder(), toolMode, files, contextWindow });
        figures.push(...figuresOf(run, `${contextWindow / 1024}k, ${toolMode}`));
      }
    }
    return figures;
  },
};

function figuresOf(run: EngineRun, where: string): readonly Figure[] {
  const { between, whole } = reuse(run);
  const { compactions } = run.result.state.counters;
  const detail = `${run.requests.length} requests, ${compactions} compactions`;
  const common = { unit: '%', better: 'higher', detail } as const;
  return [
    {
      ...common,
      name: `prefix kept between compactions, rewinds and branches, ${where}`,
      value: rounded(between, 1),
      bound: BOUND_PERCENT,
    },
    {
      ...common,
      name: `of all bytes sent, the start of the prompt before, ${where}`,
      value: rounded(whole, 1),
      bound: null,
    },
  ];
}
