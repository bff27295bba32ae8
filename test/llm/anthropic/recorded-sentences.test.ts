// How the API, and llama.cpp on the same wire, say that a prompt is too long.
import { describe, expect, it } from 'vitest';
import { errorBody } from '../../support/fake-anthropic.ts';
import { OVERFLOW_SENTENCES } from '../../support/fake-sentences.ts';
import { answering } from './support.ts';

const known = OVERFLOW_SENTENCES.filter(([server]) => /^Anthropic|llama\.cpp/.test(server));

describe.each(known)('%s: "%s"', (_, sentence) => {
  const body = errorBody('invalid_request_error', sentence);

  it.each([
    ['as a refusal', { error: { status: 400, body } }],
    ['in mid-stream', { content: 'half', errorEvent: body }],
  ])('%s is an overflow', async (_, reply) => {
    const { ask } = await answering(reply);
    expect((await ask()).status.kind).toBe('context_overflow');
  });
});
