/** A program whose lines follow settings: where they stand differs from generator to generator. */
import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import { firstOf, type Play, printed, put, sameLines } from '../look.ts';
import { code, type Target } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { EXCLAMATIONS, PEOPLE } from '../words.ts';

export interface Settings {
  readonly word: string;
  readonly name: string;
  readonly times: number;
}

export interface Names {
  readonly word: string;
  readonly name: string;
  readonly times: string;
}

export const namesOf = (random: Random): Names =>
  random.pick([
    { word: 'greeting', name: 'name', times: 'times' },
    { word: 'prefix', name: 'who', times: 'repeat' },
    { word: 'sound', name: 'owner', times: 'count' },
  ]);

export function settingsOf(random: Random): [Settings, Settings] {
  const words = random.sample(EXCLAMATIONS, 2);
  const names = random.sample(PEOPLE, 2);
  const times = random.sample([1, 2, 3, 4, 5, 6], 2);
  return [0, 1].map((at) => ({
    word: words[at] ?? '',
    name: names[at] ?? '',
    times: times[at] ?? 1,
  })) as [Settings, Settings];
}

export const linesFor = ({ word, name, times }: Settings): string[] =>
  Array.from({ length: times }, () => `${word}, ${name}!`);

export interface Situation {
  /** `null` removes the file. */
  readonly files: { readonly [path: string]: string | null };
  readonly how?: Play;
  readonly expected: Settings;
}

export const situationsJudge =
  (made: Target, situations: readonly Situation[]) =>
  (evidence: Evidence): Promise<Verdict> =>
    firstOf(made.candidates(evidence), async (path) => {
      for (const { files, how, expected } of situations) {
        put(evidence, files);
        const seen = await printed(evidence, path, how ?? {}, (text) =>
          sameLines(text, linesFor(expected)),
        );
        const [given] = Object.values(files);
        const where = `${JSON.stringify(given ?? 'no file')} ${(how?.args ?? []).join(' ')}`;
        if (!seen.reached) return missed(`with ${where}: ${seen.why}`);
      }
      return reached(`${path} follows its settings`);
    });

/** What every program of this kind does in the end; `settings` is set before. */
export const printing = (made: Target, { word, name, times }: Names): string[] =>
  made.language === 'python'
    ? [
        `for _ in range(int(settings["${times}"])):`,
        `    print(settings["${word}"] + ", " + settings["${name}"] + "!")`,
      ]
    : [
        `for (let at = 0; at < Number(settings.${times}); at += 1) {`,
        `  console.log(settings.${word} + ", " + settings.${name} + "!");`,
        '}',
      ];

export const keyed = (settings: Partial<Settings>, names: Names): { [key: string]: unknown } =>
  Object.fromEntries(
    (['word', 'name', 'times'] as const).flatMap((key) =>
      settings[key] === undefined ? [] : [[names[key], settings[key]]],
    ),
  );

/** A program that takes its defaults from the code, then does `reading`, then prints. */
export const programOf = (
  made: Target,
  names: Names,
  defaults: Settings,
  reading: readonly string[],
): string =>
  code([
    made.language === 'python'
      ? `settings = ${JSON.stringify(keyed(defaults, names))}`
      : `const settings = ${JSON.stringify(keyed(defaults, names))};`,
    ...reading,
    ...printing(made, names),
  ]);
