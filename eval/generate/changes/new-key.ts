import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import { isSame } from '../calls.ts';
import type { Generator } from '../generator.ts';
import { read } from '../look.ts';
import { SERVICES } from '../words.ts';

const KEYS = ['timeout', 'retries', 'buffer', 'interval', 'workers', 'threshold'] as const;
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function areNow(evidence: Evidence, wanted: { readonly [path: string]: unknown }): Verdict {
  for (const [path, value] of Object.entries(wanted)) {
    const text = read(evidence, path);
    if (text === null) return missed(`${path} is gone`);
    const now: unknown = JSON.parse(text);
    if (!isSame(now, value)) return missed(`${path} is ${JSON.stringify(now)}`);
  }
  return reached('the files are as asked');
}

/** A key of several JSON files gets another name, and one value changes. */
export const newKey: Generator = {
  name: 'new-key',
  kind: 'changes',
  languages: ['text'],
  kept: false,
  make: (random) => {
    const [one, two, three] = random.sample(SERVICES, 3) as [string, string, string];
    const [old, second, third] = random.sample(KEYS, 3) as [string, string, string];
    const now = random.pick([`max_${old}`, `${old}_value`, `default_${old}`]);
    const folder = random.pick(['', 'config/', 'settings/']);
    const path = (service: string): string => `${folder}${service}.json`;
    const port = random.int(3000, 9000);
    const value = random.int(5, 90);
    const [a, b, c, d] = Array.from({ length: 4 }, () => random.int(1, 99));
    const contents = (key: string, changed: number) => ({
      [path(one)]: { name: one, port, [key]: a, [second]: b },
      [path(two)]: { name: two, [key]: changed, [third]: d },
      [path(three)]: { name: three, [second]: c, [third]: a },
    });
    const before = contents(old, value);
    const after = contents(now, value * 2);
    const texts = (values: { readonly [path: string]: unknown }) =>
      Object.fromEntries(Object.entries(values).map(([name, content]) => [name, json(content)]));
    const goal = random.pick([
      `In the JSON files here the key "${old}" has to be called "${now}". And in ${path(two)} its value becomes ${value * 2}.`,
      `Rename the setting ${old} to ${now} in ${path(one)} and ${path(two)}; set it to ${value * 2} for ${two}, for ${one} it stays ${a}. All other settings stay as they are.`,
    ]);
    return {
      goal,
      given: texts(before),
      mayChange: [path(one), path(two)],
      judge: async (evidence) => areNow(evidence, after),
      good: { files: texts(after) },
      bad: [
        { files: texts(contents(now, value)) },
        { files: { [path(two)]: json(after[path(two)]) } },
        { files: { [path(one)]: json({ [now]: a }), [path(two)]: json({ [now]: value * 2 }) } },
      ],
    };
  },
};
