/** Programs that are refused where a tool does their work: turns of runs that were really played. */
import { expect, it } from 'vitest';
import { sha256 } from '../../src/lib/sha256.ts';
import { callingOwn, runWith } from '../support/own-tools.ts';
import { ends, plans, playing, runs, WRITE, WRITES } from '../support/playing.ts';
import type { ScriptedCall } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const edits = (path: string): ScriptedCall => ({
  name: 'edit_file',
  args: { path, old_text: '");', new_text: '"); // said' },
});
const NOTES: ScriptedCall = {
  name: 'write_file',
  args: { path: 'notes/a.md', content: 'said\n', create_dirs: true },
};
const SED = runs('sed -i s/x/y/ hello.mjs');

it('what a tool did instead is done', async () => {
  const { result } = await playing([
    [plans(WRITE), WRITES, runs('mkdir -p notes'), NOTES, SED, ends(true)],
    [edits('hello.mjs'), ends(true)],
  ]).first();
  expect(result).toMatchObject({ ending: 'achieved' });
  expect(result.state.refused).toBeUndefined();
});

it('what no tool did instead is not', async () => {
  const { result } = await playing([
    [plans(WRITE), WRITES, SED, ends(true)],
    [NOTES, ends(true)],
    [ends(true)],
  ]).first();
  expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
});

it('a removal that nobody could allow leaves no copy of the file, which an undo would take for a lost one', async () => {
  const world = testWorld();
  world.write('old.txt', 'mine\n');
  const remove = { name: 'delete_file', args: { path: 'old.txt' } };
  const { resultsOf } = await runWith(world, callingOwn(remove), {});
  expect(resultsOf('delete_file').map(({ status }) => status)).toContain('denied');
  expect(world.read(`.agent_context/blobs/${sha256('mine\n')}`)).toBeNull();
});
