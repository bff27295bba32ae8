import { type Evidence, type Goal, missed, reached, type Verdict } from '../goal.ts';
import { filesIn, textOf } from '../workspace-files.ts';

const GIVEN = {
  'notes.txt': 'Buy seeds. Water the plants.\n',
  'harvest.csv': 'plant,kilos\ntomato,12\nbean,3\n',
  'src/garden.py': 'def total(rows):\n    return sum(rows)\n',
};

async function judge({ workspace, answer }: Evidence): Promise<Verdict> {
  const touched = Object.entries(GIVEN).filter(
    ([path, text]) => !filesIn(workspace).includes(path) || textOf(workspace, path) !== text,
  );
  if (touched.length > 0) return missed(`it changed ${touched.map(([path]) => path).join(', ')}`);
  if (answer === null || answer.trim() === '') return missed('there is no answer');
  const unnamed = ['notes.txt', 'harvest.csv', 'src'].filter((name) => !answer.includes(name));
  return unnamed.length > 0
    ? missed(`the answer does not name ${unnamed.join(', ')}`)
    : reached('the answer names what is there');
}

export const folder: Goal = {
  name: 'folder',
  text: 'What is in this folder?',
  maxRounds: 4,
  needs: [],
  given: GIVEN,
  judge,
};
