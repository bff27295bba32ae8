import { missed, reached, type Verdict } from '../../goal.ts';
import type { Generator } from '../generator.ts';
import { hasWord, read } from '../look.ts';
import { code } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { GOODS, SERVICES } from '../words.ts';
import { sectionOf } from './texts.ts';

const TYPES = { Added: 'feat', Fixed: 'fix', Internal: 'chore' } as const;
type Section = keyof typeof TYPES;

interface Change {
  readonly section: Section;
  readonly word: string;
  readonly text: string;
}

function changesOf(random: Random): Change[] {
  const words = random.sample(GOODS, 6);
  const sections: Section[] = ['Added', 'Added', 'Fixed', 'Fixed', 'Fixed', 'Internal'];
  const changes = sections.map((section, at): Change => {
    const word = words[at] ?? '';
    const verbs = { Added: 'show', Fixed: 'do not lose', Internal: 'move' };
    return { section, word, text: `${verbs[section]} the ${word} in the ${random.pick(SERVICES)}` };
  });
  return random.sample(changes, changes.length);
}

function judgeChangelog(text: string | null, version: string, changes: readonly Change[]): Verdict {
  if (text === null) return missed('there is no CHANGELOG.md');
  if (!text.includes(version)) return missed(`it does not name version ${version}`);
  for (const section of ['Added', 'Fixed'] as const) {
    const part = sectionOf(text, section);
    if (part === null) return missed(`there is no section ${section}`);
    for (const change of changes) {
      const isThere = hasWord(part, change.word);
      if (isThere !== (change.section === section)) {
        return missed(`"${change.text}" ${isThere ? 'stands' : 'does not stand'} under ${section}`);
      }
    }
  }
  const chore = changes.find(({ section }) => section === 'Internal');
  const isLeftOut = chore === undefined || !hasWord(text, chore.word);
  return isLeftOut ? reached('all changes are in place') : missed(`"${chore.text}" is in it`);
}

/** A list of commits becomes a changelog. */
export const changelog: Generator = {
  name: 'changelog',
  kind: 'document',
  languages: ['text'],
  kept: true,
  make: (random) => {
    const source = random.pick(['commits.txt', 'log.txt', 'history.txt']);
    const version = `${random.int(1, 4)}.${random.int(0, 12)}.${random.int(0, 9)}`;
    const changes = changesOf(random);
    const given = code(
      changes.map(
        ({ section, text }) => `${random.int(100000, 999999)} ${TYPES[section]}: ${text}`,
      ),
    );
    const goal = random.pick([
      `Write CHANGELOG.md for version ${version} from ${source}. Sections "Added" (all feat) and "Fixed" (all fix), one line for each commit in the words of its message. chore commits do not belong there.`,
      `${source} has the commits since the last release. I want a CHANGELOG.md with a heading for ${version}, under it Added with the feat: ones and Fixed with the fix: ones; leave chore out`,
    ]);
    const text = (added: readonly Change[], fixed: readonly Change[]): string =>
      code([
        '# Changelog',
        '',
        `## ${version}`,
        '',
        '### Added',
        ...added.map((one) => `- ${one.text}`),
        '',
        '### Fixed',
        ...fixed.map((one) => `- ${one.text}`),
      ]);
    const of = (...sections: Section[]) => changes.filter((one) => sections.includes(one.section));
    return {
      goal,
      given: { [source]: given },
      judge: async (evidence) => judgeChangelog(read(evidence, 'CHANGELOG.md'), version, changes),
      good: { files: { 'CHANGELOG.md': text(of('Added'), of('Fixed')) } },
      bad: [
        { files: { 'CHANGELOG.md': text(of('Added', 'Internal'), of('Fixed')) } },
        { files: { 'CHANGELOG.md': text(of('Added'), of('Fixed').slice(1)) } },
        { files: { 'CHANGELOG.md': text(of('Fixed'), of('Added')) } },
      ],
    };
  },
};
