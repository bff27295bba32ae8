// The faults that the wires of the hosted APIs have, each in its own words.
import { systemClock } from '../src/lib/clock.ts';
import { FAULT_WORK } from '../test/support/faults.ts';
import { ANTHROPIC } from '../test/support/hosted-anthropic.ts';
import type { HostedApi, HostedOptions, Trouble } from '../test/support/hosted-api.ts';
import { OPENAI } from '../test/support/hosted-openai.ts';
import { diligentModel } from '../test/support/models.ts';
import type { Figure, Lab } from './measurement.ts';
import { figureOf, recover } from './support/recovery.ts';

const APIS: readonly HostedApi[] = [ANTHROPIC, OPENAI];
const KEYS = ['first-key', 'second-key'];

/** What is met, and how often in a row. */
const ROWS: readonly (readonly [Trouble, number])[] = [
  ['server error', 3],
  ['connection reset', 3],
  ['cut midway', 1],
  ['error event', 1],
  ['rate limited', 1],
  ['no end', 1],
  ['call cut off by the limit', 1],
];

async function overcome(
  api: HostedApi,
  name: string,
  trouble: NonNullable<HostedOptions['trouble']>,
  workspace: string,
): Promise<Figure> {
  const server = await api.serve(diligentModel(FAULT_WORK), { trouble });
  const ways = KEYS.map((key, index) => ({
    provider: api.provider(server, key, systemClock),
    model: api.model,
    profile: `KEY_${index + 1}`,
  }));
  const used = name.includes('key') ? ways : ways.slice(0, 1);
  const recovery = await recover({ ways: used, toolMode: 'auto' }, workspace);
  await server.close();
  return figureOf(`${api.name}: ${name}`, recovery);
}

/** From the request after the plan on. */
export async function hostedRecovery(lab: Lab): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const api of APIS) {
    for (const [trouble, times] of ROWS) {
      const name = times === 1 ? trouble : `${times} × ${trouble}`;
      const met = (n: number) => (n > 1 && n <= 1 + times ? trouble : null);
      figures.push(await overcome(api, name, met, lab.folder()));
    }
    const expired = (n: number, key: string) =>
      n > 1 && key === KEYS[0] ? ('expired key' as const) : null;
    figures.push(await overcome(api, 'expired key, a second one', expired, lab.folder()));
  }
  return figures;
}
