import { type Evidence, type Goal, missed, reached, type Verdict } from '../goal.ts';
import { filesIn } from '../workspace-files.ts';

async function judge({ workspace, programs }: Evidence): Promise<Verdict> {
  if (!filesIn(workspace).includes('todo.py')) return missed('there is no todo.py');
  const todo = (...args: readonly string[]) =>
    programs.python(['todo.py', ...args], { cwd: workspace });
  for (const text of ['buy milk', 'water the plants']) {
    const { exitCode, output } = await todo('add', text);
    if (exitCode !== 0) return missed(`add ends with ${exitCode}: ${output.trim().slice(-120)}`);
  }
  const listed = await todo('list');
  if (listed.exitCode !== 0) return missed(`list ends with ${listed.exitCode}`);
  const lines = listed.stdout.split('\n');
  const milk = lines.find((line) => line.includes('buy milk'));
  if (milk === undefined || !listed.stdout.includes('water the plants')) {
    return missed('list does not show what was added before');
  }
  const done = await todo('done', '1');
  if (done.exitCode !== 0) return missed(`done 1 ends with ${done.exitCode}`);
  const after = (await todo('list')).stdout;
  const milkAfter = after.split('\n').find((line) => line.includes('buy milk'));
  if (!after.includes('water the plants')) return missed('done 1 lost the other item');
  return milkAfter === milk
    ? missed('done 1 changes nothing in the list')
    : reached('add, list and done work across starts');
}

export const todo: Goal = {
  name: 'todo',
  text: 'Create todo.py, a todo list for the command line: "python todo.py add TEXT", "python todo.py list" and "python todo.py done NUMBER", with the items kept in todo.json',
  maxRounds: 12,
  needs: ['python'],
  judge,
};
