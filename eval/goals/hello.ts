import { type Evidence, type Goal, missed, reached, type Verdict } from '../goal.ts';
import { filesIn } from '../workspace-files.ts';

const GREETING = /^(?=.*hello)(?=.*world).*$/im;

async function judge({ workspace, programs }: Evidence): Promise<Verdict> {
  const scripts = filesIn(workspace).filter((path) => /\.(py|js|mjs|cjs)$/.test(path));
  if (scripts.length === 0) return missed('there is no script');
  const seen: string[] = [];
  for (const path of scripts) {
    const run = path.endsWith('.py') ? programs.python : programs.node;
    const { exitCode, stdout } = await run([path], { cwd: workspace });
    if (exitCode === 0 && GREETING.test(stdout)) return reached(`${path} greets the world`);
    seen.push(`${path} ended with ${exitCode} and printed ${JSON.stringify(stdout.slice(0, 60))}`);
  }
  return missed(seen.join('; '));
}

export const hello: Goal = {
  name: 'hello',
  text: 'Write a hello world script',
  maxRounds: 3,
  needs: ['python'],
  judge,
};
