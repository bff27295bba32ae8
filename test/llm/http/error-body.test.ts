import { describe, expect, it } from 'vitest';
import { readErrorBody } from '../../../src/llm/http/error-body.ts';

describe('what a page says that came instead of an answer', () => {
  it.each([
    [
      'its title',
      '<html><title lang="en">Bad\nGateway</title></html>',
      'a web page, "Bad Gateway"',
    ],
    ['only that it is one', '<html><body>Bad Gateway</body></html>', 'a web page'],
    ['the same, however often a title begins', `<html>${'<title'.repeat(100_000)}`, 'a web page'],
  ])('%s', (_what, body, text) => {
    expect(readErrorBody(body)).toMatchObject({ text, isApi: false });
  });
});
