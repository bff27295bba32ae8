/**
 * A process that takes one step of a run as a worker of our program would: it is loaded as the program is. Its arguments:
 * the workspace, how many turns were asked for before, and 1 where it keeps what it compiled.
 */
import { pathToFileURL } from 'node:url';
import { loadProgram } from '../../src/cli/process/load-program.ts';
import type * as program from './worker-program.ts';

const [workspace = '', asked = '0', keeps = '0'] = process.argv.slice(2);
const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });
const tasks = [{ description: 'greet', subtasks: [{ do: 'write it', files: ['hello.txt'] }] }];
const REPLIES = [
  call('set_plan', { tasks }),
  call('write_file', { path: 'hello.txt', content: 'hello\n' }),
  call('mark_subtask_complete', { success: true, reason: 'written' }),
];

async function main(): Promise<void> {
  const loaded = loadProgram(pathToFileURL(__filename).href, ['worker']) as unknown as {
    readonly entry: () => typeof program;
    readonly keepCompiled: () => void;
  };
  const { openRun, playedProvider } = loaded.entry();
  const played = playedProvider(REPLIES.slice(Number(asked)));
  let turns = 0;
  const stream: typeof played.stream = (...request) => {
    turns += 1;
    return played.stream(...request);
  };
  const began = process.hrtime.bigint();
  const goal = 'Write hello.txt with hello in it';
  const run = await openRun({ goal, workspace, provider: { ...played, stream }, model: 'played' });
  const result = run.result ?? (await run.takeStep());
  await run.close();
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  process.stdout.write(JSON.stringify({ ms, turns, ends: result !== null }));
  if (keeps === '1') loaded.keepCompiled();
}

void main();
