import { expect, it } from 'vitest';
import { TEMPORARY_SUFFIX } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

/** Every half-written file of the state. */
function temporaries(fs: FileSystem, folder = `${WORKSPACE}/.agent_context`): readonly string[] {
  return fs.readdir(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (fs.lstat(path).kind === 'directory') return temporaries(fs, path);
    return name.endsWith(TEMPORARY_SUFFIX) ? [path] : [];
  });
}

class Killed extends Error {}

it.each([['last-number'], ['history.jsonl']])(
  'a conversation killed before %s has its name leaves nothing that the next one does not sweep',
  async (name) => {
    const world = testWorld();
    const machine = world.machine();
    const model = () => scriptedProvider(() => 'Hello.', LARGE);
    const first = await chatIn(world, model());
    await first.session.close();
    const disk = delegating(machine.fs);
    let isDead = false;
    const alive = <Args extends unknown[], Value>(does: (...args: Args) => Value) => {
      return (...args: Args): Value => {
        if (isDead) throw new Killed();
        return does(...args);
      };
    };
    const dying: FileSystem = {
      ...disk,
      unlink: alive(disk.unlink),
      open: alive(disk.open),
      rename: alive((from, to) => {
        isDead = to.endsWith(`/${name}`);
        if (isDead) throw new Killed();
        disk.rename(from, to);
      }),
      link: alive((from, to) => {
        isDead = to.endsWith(`/${name}`);
        if (isDead) throw new Killed();
        disk.link(from, to);
      }),
    };
    const killed = { ...machine, fs: dying };
    await expect(chatIn(world, model(), { machine: killed, name: 'other' })).rejects.toThrow();
    expect(temporaries(machine.fs)).toHaveLength(1);
    const next = await chatIn(world, model(), { machine: world.machine() });
    await next.session.close();
    expect(temporaries(machine.fs)).toEqual([]);
  },
);
