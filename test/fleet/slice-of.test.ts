/** How a slice ends where its run could not be opened. */
import { describe, expect, it } from 'vitest';
import { sliceOfError } from '../../src/fleet/slice-of.ts';
import { TardigradeError } from '../../src/lib/errors.ts';

const error = (code: TardigradeError['code']) =>
  new TardigradeError(code, 'It failed.', 'Mend it.');

describe('a run that could not be opened', () => {
  it('is tried again by itself where its model could not be reached', () => {
    expect(sliceOfError(error('E_PROVIDER'))).toMatchObject({
      is: 'pausing',
      detail: 'It failed. Mend it.',
      retryAfterMs: expect.any(Number),
    });
  });

  it('waits for a person where nothing passes by itself', () => {
    expect(sliceOfError(error('E_USAGE'))).not.toHaveProperty('retryAfterMs');
  });

  it('is left to the worker that has it', () => {
    expect(sliceOfError(error('E_LOCKED'))).toMatchObject({ is: 'busy' });
  });

  it('is tried again by the engine where this worker cannot reach its folder', () => {
    expect(() => sliceOfError(error('E_IO'))).toThrow('It failed.');
  });
});
