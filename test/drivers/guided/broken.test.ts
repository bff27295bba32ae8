import { expect, it } from 'vitest';
import { beforeEnd } from '../../../src/drivers/guided/broken.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { bareState, file } from '../../support/run-state.ts';

const broken = file({ given: 'as it was', isOwn: true, problems: ['line 1: does not parse, x'] });
const at = (more: Partial<RunState> = {}): RunState =>
  bareState('guided', { files: { 'a.mjs': broken }, ...more });
const finish = (ending: 'achieved' | 'failed') => ({ do: 'finish', ending, detail: '' }) as const;
const weighed = (isKnown: boolean) => ({ isKnown, words: 'w' }) as RunState['weighed'];
const PUT_BACK = {
  do: 'put_back',
  files: [{ path: 'a.mjs', hash: 'as it was' }],
  onlyParsed: true,
};

it('a given file that does not parse comes back before a run ends as failed or unverified', () => {
  expect(beforeEnd(finish('failed'), at())).toEqual(PUT_BACK);
  expect(beforeEnd(finish('achieved'), at({ weighed: weighed(false) }))).toEqual(PUT_BACK);
});

it('what was proved is left as it was proved', () => {
  for (const known of [weighed(true), null])
    expect(beforeEnd(finish('achieved'), at({ weighed: known }))).toEqual(finish('achieved'));
});

it('what somebody else changed since is theirs', () => {
  const { isOwn: _, ...theirs } = broken;
  const state = at({ files: { 'a.mjs': theirs } });
  expect(beforeEnd(finish('failed'), state)).toEqual(finish('failed'));
});
