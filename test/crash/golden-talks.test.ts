/** Some of the golden conversations killed behind a record; `npm run crash` tries all of them behind each. */
import { expect, it } from 'vitest';
import { TALKS } from '../support/golden-talks.ts';
import { crashTalk } from './golden-talks.ts';

/** Records from one that it is killed behind to the next. */
const EVERY: { readonly [talk: string]: number } = {
  'content-apart-held': 9,
  'several-calls-wire': 12,
  'asked-wire': 13,
  'summary-held': 19,
  'failover-wire': 11,
  'undo-wire': 23,
  'closing-turn-text': 7,
  'two-in-one-folder-wire': 17,
};

const SAMPLE = TALKS.flatMap((talk) => {
  const every = EVERY[`${talk.name}-${talk.way}`];
  return every === undefined ? [] : { ...talk, talk, every };
});

it.each(SAMPLE)(
  'the conversation $name, $way, goes on to the byte behind a sample of its records',
  async ({ talk, every }) => {
    const { cases, violations } = await crashTalk(talk, (at) => at % every === 0);
    expect(cases).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  },
);

it('every conversation of the sample is there', () => {
  expect(SAMPLE).toHaveLength(Object.keys(EVERY).length);
});
