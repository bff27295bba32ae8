/** Replies of a model that leads, one after the other over all starts, in a folder with git. */

import type { AskPerson } from '../../src/round/permission/person.ts';
import { machineWithGit, worldWithGit } from './git-world.ts';
import { runIn, type Told } from './run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from './scripted-provider.ts';
import type { TestWorld } from './test-machine.ts';

export const runs = (cmd: string): ScriptedCall => ({ name: 'run_cmd', args: { cmd } });
export const plans = (...subtasks: readonly string[]): ScriptedCall => ({
  name: 'set_plan',
  args: {
    tasks: [{ description: 'it', subtasks: subtasks.map((one) => ({ do: one })) }],
    proof: { cmd: 'node hello.mjs', prints: 'hello' },
  },
});
export const WRITES: ScriptedCall = {
  name: 'write_file',
  args: { path: 'hello.mjs', content: 'console.log("hello");\n' },
};
export const ends = (success: boolean, reason = 'it is so'): ScriptedCall => ({
  name: 'mark_subtask_complete',
  args: { success, reason },
});
export const givesUp = (needs: string): ScriptedCall => ({
  name: 'give_up',
  args: { reason: 'It cannot be finished here.', needs },
});

export const WRITE = 'write hello.mjs';
export const ADD = runs('git add hello.mjs');
export const COMMIT = runs('git commit -m "a b"');
export const VIEW = runs('npm view zod version');
export const INSTALL = runs('npm install zod');

export type Replies = readonly (readonly ScriptedCall[])[];

/** One reply after the other, over all starts; beyond the last one the model gives up. */
export function playing(replies: Replies, deny: readonly string[] = [], ask?: AskPerson) {
  const world: TestWorld = worldWithGit();
  const provider = scriptedProvider(
    (_request, n) => ({ calls: [...(replies[n - 1] ?? [givesUp('nothing')])] }),
    LARGE,
  );
  const start = (allow: readonly string[] = [], goal: string | null = null): Promise<Told> =>
    runIn(world, provider, {
      ...{
        machine: machineWithGit(world),
        goal,
        allow,
        deny,
        originKey: new Uint8Array(32).fill(7),
        ...(ask === undefined ? {} : { ask }),
      },
    });
  const first = () => start([], 'Write hello.mjs and commit it: node hello.mjs prints "hello"');
  const ran = (): readonly string[] => world.commands.map(({ line }) => line);
  return { provider, first, start, ran };
}
