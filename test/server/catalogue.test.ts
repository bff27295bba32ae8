/** How a run stands in the server's list. */
import { expect, it } from 'vitest';
import { currentStandingOf } from '../../src/server/runs/catalogue.ts';
import { runState } from '../cli/support.ts';

it('a run is achieved in part where its proof says nothing about a changed file', () => {
  const verdict = (...files: string[]) => ({
    ...{ isProved: true, words: '', named: [], beyond: { files, subtasks: [] } },
  });
  const standing = (...files: string[]) =>
    currentStandingOf(
      runState({ ended: { ending: 'achieved', detail: '' }, verdict: verdict(...files) }),
      null,
    );
  expect(standing()).toEqual({ standing: 'achieved', questions: 0 });
  expect(standing('CHANGELOG.md')).toMatchObject({ standing: 'achieved', isPartly: true });
});
