import { expect, it } from 'vitest';
import { isUnparsed } from '../../../src/languages/files/unparsed.ts';
import { jsonProblem } from '../../../src/languages/json/json-problem.ts';

it('a text that its language cannot read is told from one that has other faults', () => {
  expect(isUnparsed(jsonProblem('a.json', '{"a": ') ?? '')).toBe(true);
  for (const said of ['line 2: does not parse, Unexpected token', 'does not parse, invalid syntax'])
    expect(isUnparsed(said)).toBe(true);
  for (const said of ['line 1: the function a is empty: write its whole body', 'the file is empty'])
    expect(isUnparsed(said)).toBe(false);
});
