import type { ModelRequest } from '../src/schema/turn.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { type EngineRun, engineRun } from './support/engine-run.ts';
import { rounded } from './support/statistics.ts';

const FILES = 40;
/** Small enough that the run is compacted several times. */
const WINDOW_TOKENS = 8192;
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
    for (const toolMode of ['native', 'json'] as const) {
      const workspace = lab.folder();
      const run = await engineRun({
        workspace,
        toolMode,
        files: FILES,
        contextWindow: WINDOW_TOKENS,
      });
      const { between, whole } = reuse(run);
      const { compactions } = run.result.state.counters;
      figures.push(
        {
          name: `prefix kept between compactions, rewinds and branches, ${toolMode}`,
          value: rounded(between, 1),
          unit: '%',
          bound: BOUND_PERCENT,
          better: 'higher',
          detail: `${run.requests.length} requests, ${compactions} compactions`,
        },
        {
          name: `of all bytes sent, already read by the model, ${toolMode}`,
          value: rounded(whole, 1),
          unit: '%',
          bound: null,
          better: 'higher',
          detail: 'whole run',
        },
      );
    }
    return figures;
  },
};
