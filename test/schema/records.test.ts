import { describe, expect, it } from 'vitest';
import { JournalRecord } from '../../src/schema/records.ts';

const paused = {
  type: 'run_paused',
  why: 'limit_tokens',
  detail: 'enough',
  hint: 'Give it more.',
};

describe('an option that a record names', () => {
  it('is kept when this version knows it', () => {
    expect(JournalRecord.parse({ ...paused, option: 'maxTokens' })).toMatchObject({
      option: 'maxTokens',
    });
  });

  it('is passed over when a later version invented it', () => {
    const read = JournalRecord.parse({ ...paused, option: 'maxDreams', optionValue: '3' });
    expect(read).toMatchObject({ hint: 'Give it more.', optionValue: '3' });
    expect(read).toHaveProperty('option', undefined);
  });
});
