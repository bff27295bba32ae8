import type { Generator } from '../generator.ts';
import { code } from '../programs-made.ts';
import { PEOPLE, SUBJECTS } from '../words.ts';
import { becomes } from './texts.ts';

/** Somebody is called otherwise now, in several texts; a longer name that begins alike stays. */
export const newName: Generator = {
  name: 'new-name',
  kind: 'changes',
  languages: ['text'],
  kept: false,
  make: (random) => {
    const [old, now, other] = random.sample(PEOPLE, 3) as [string, string, string];
    const longer = `${old}sen`;
    const [one, two] = random.sample(SUBJECTS, 2) as [string, string];
    const [first, second, third] = random.sample(
      ['rota.txt', 'contacts.txt', 'welcome.md', 'notes.txt', 'plan.md'],
      3,
    ) as [string, string, string];
    const texts = (name: string): { [path: string]: string } => ({
      [first]: code([
        `${name} opens the ${one} on Monday.`,
        `${other} closes it.`,
        `On Friday ${name} and ${other} count the till.`,
        `Mrs ${longer} has the spare key.`,
      ]),
      [second]: code([
        `The ${two}`,
        '',
        `Ask ${name} first, ${other} second.`,
        `Phone of ${name}: 411`,
        'The door code is on the board.',
      ]),
      [third]: code([`The ${one} and the ${two} open at nine.`, `${other} wrote this.`]),
    });
    const given = texts(old);
    const wanted = texts(now);
    const everywhere = Object.fromEntries(
      Object.entries(given).map(([path, text]) => [path, text.replaceAll(old, now)]),
    );
    const goal = random.pick([
      `${old} is called ${now} now. Change the name in ${first} and ${second}. Mrs ${longer} keeps hers.`,
      `Please replace the name ${old} by ${now} in all text files here (not ${longer}, that is somebody else).`,
      `In ${first} and ${second}: ${old} -> ${now}, whole word only. Nothing else changes.`,
    ]);
    return {
      goal,
      given,
      mayChange: [first, second],
      judge: becomes(wanted),
      good: { files: wanted },
      bad: [{ files: everywhere }, { files: { [first]: wanted[first] ?? '' } }],
    };
  },
};
