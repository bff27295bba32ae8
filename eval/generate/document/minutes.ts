import { missed, reached, type Verdict } from '../../goal.ts';
import type { Generator } from '../generator.ts';
import { hasFigure, hasWord, linesOf, read } from '../look.ts';
import { code } from '../programs-made.ts';
import { GOODS, MONTHS, PEOPLE, SUBJECTS } from '../words.ts';
import { sectionOf } from './texts.ts';

interface Errand {
  readonly person: string;
  readonly thing: string;
  readonly day: string;
}

function judgeMinutes(
  text: string | null,
  errands: readonly Errand[],
  decided: readonly string[],
  absent: readonly string[],
): Verdict {
  if (text === null) return missed('there is no such document');
  const [decisions, tasks] = [sectionOf(text, 'Decisions'), sectionOf(text, 'Tasks')];
  if (decisions === null || tasks === null) return missed('a section is missing');
  const lost = decided.find((word) => !hasWord(decisions, word));
  if (lost !== undefined) return missed(`the decision on the ${lost} is missing`);
  for (const { person, thing, day } of errands) {
    const line = linesOf(tasks).find((one) => hasWord(one, person) && hasWord(one, thing));
    if (line === undefined) return missed(`the task of ${person} is missing`);
    const [date = '', month = ''] = day.split(' ');
    if (!hasFigure(line, Number(date)) || !hasWord(line, month))
      return missed(`the task of ${person} has another day: ${line}`);
    const other = errands.find((one) => one.person !== person && hasWord(line, one.thing));
    if (other !== undefined) return missed(`${person} does not do ${other.thing}`);
  }
  const invented = absent.find((name) => hasWord(text, name));
  return invented === undefined ? reached('all stands in it') : missed(`${invented} is invented`);
}

/** Notes of a meeting become decisions and tasks. */
export const minutes: Generator = {
  name: 'minutes',
  kind: 'document',
  languages: ['text'],
  kept: false,
  make: (random) => {
    const source = random.pick(['notes.txt', 'meeting.txt', 'talk.txt']);
    const path = random.pick(['minutes.md', 'MINUTES.md', 'summary.md']);
    const people = random.sample(PEOPLE, 5);
    const things = random.sample(GOODS, 5);
    const month = random.pick(MONTHS);
    const place = random.pick(SUBJECTS);
    const errands = people.slice(0, 3).map((person, at) => ({
      person,
      thing: things[at] ?? '',
      day: `${random.int(2, 28)} ${month}`,
    }));
    const [a, b, c] = errands as [Errand, Errand, Errand];
    const [kept, sold] = things.slice(3) as [string, string];
    const given = code([
      `Meeting at the ${place}, everybody came.`,
      `${a.person} will repair the ${a.thing} until ${a.day}.`,
      `We decided to keep the ${kept}.`,
      `Long talk about the weather.`,
      `${b.person} offers to order a new ${b.thing}, to be done by ${b.day}.`,
      `Decision: the ${sold} will be sold.`,
      `The ${c.thing} has to be cleaned before ${c.day}, ${c.person} takes care of that.`,
    ]);
    const goal = random.pick([
      `Make ${path} out of ${source}: a section "Decisions" and a section "Tasks". Each task on its own line with who does it and until when.`,
      `${source} are my notes of a meeting. Please write ${path} with two headings, Decisions and Tasks. Under Tasks one line for each: person, what, date. Leave out what is neither.`,
    ]);
    const text = (list: readonly Errand[]): string =>
      code([
        '# Meeting',
        '',
        '## Decisions',
        `- The ${kept} is kept.`,
        `- The ${sold} is sold.`,
        '',
        '## Tasks',
        ...list.map(({ person, thing, day }) => `- ${person}: ${thing}, until ${day}`),
      ]);
    return {
      goal,
      given: { [source]: given },
      judge: async (evidence) =>
        judgeMinutes(read(evidence, path), errands, [kept, sold], people.slice(3)),
      good: { files: { [path]: text(errands) } },
      bad: [
        { files: { [path]: text([{ ...a, thing: b.thing }, { ...b, thing: a.thing }, c]) } },
        { files: { [path]: text([a, b]) } },
        { files: { [path]: text([...errands, { ...a, person: people[3] ?? '' }]) } },
      ],
    };
  },
};
