import { describe, expect, test } from 'vitest';
import { checkForm } from '../../../src/host/config/check.ts';
import { parseDocument } from '../../../src/host/config/document.ts';
import { expand, variablesIn } from '../../../src/host/config/expand.ts';
import type { TardigradeError } from '../../../src/lib/errors.ts';

function faultOf(text: string): string {
  try {
    checkForm(parseDocument('/f.json', text));
  } catch (error) {
    const { code, message, hint } = error as TardigradeError;
    return `${code} ${message} ${hint}`;
  }
  return '';
}

describe('a settings file', () => {
  test('may hold comments, commas at the end, a mark at its start and CRLF', () => {
    const text = '\uFEFF{\r\n // mine\r\n "model": "x", /* and */ "fallbacks": ["y",],\r\n}\r\n';
    const document = parseDocument('/f.json', text);
    expect(checkForm(document)).toEqual({ model: 'x', fallbacks: ['y'] });
    expect(document.lineOf(['fallbacks', 0])).toBe(3);
  });

  test.each([
    ['{\n "model": ', /E_USAGE \/f\.json:2: This is not JSON/],
    ['', /\/f\.json:1: This is not JSON/],
    ['['.repeat(200_000), /This is not JSON/],
    ['[]', /\/f\.json:1: The file: .*object/],
    ['{\n\n "modle": "x" }', /\/f\.json:3: There is no setting "modle"\. Did you mean "model"\?/],
    ['{"limits":\n {"maxRound": 3}}', /:2: .*"limits\.maxRound"\. Did you mean "maxRounds"\?/],
    [
      '{"profiles":[{"id":"a","provider":"openai",\n"apikey":"k"}]}',
      /:2:.*"profiles\.0\.apikey".*"apiKey"/,
    ],
    [
      '{"providers":{"opnai":{}}}',
      /providers\.opnai\.baseUrl: .*its address\. Did you mean "openai"\?/,
    ],
    ['{"xyzzy": 1}', /There is: .*model.*sandbox/],
    ['{"__proto__": {"model": "x"}}', /There is no setting "__proto__"/],
    ['{"model": "a",\n"model": "b"}', /:2: "model" is set twice/],
    ['{"temperature": 3}', /temperature: .*2/],
    ['{"limits": {"maxTime": "soon"}}', /limits\.maxTime: Not a duration/],
    ['{"effort": "lots"}', /effort: .*"low"/],
    ['{"instructions": [".env"]}', /instructions\.0: Not the name of a document/],
    ['{"instructions": ["../AGENTS.md"]}', /instructions\.0: /],
    ['{"instructions": 1}', /instructions: true, false, or a list/],
    ['{"providers":{"ollama":{"apiKey":"k"}}}', /"providers\.ollama\.apiKey"/],
  ])('%#: what is wrong is said with its line', (text, expected) => {
    expect(faultOf(text)).toMatch(expected);
  });

  test('a wrong value is not repeated: it may be a key', () => {
    const text = '{"providers":{"openai":{"apiKey":["sk-secret-secret"]}}}';
    expect(faultOf(text)).toMatch(/apiKey/);
    expect(faultOf(text)).not.toContain('sk-secret');
  });
});

describe('variables', () => {
  const env = { KEY: 'k', EMPTY: '', REST: `\${KEY}` };

  test.each([
    [`\${KEY}`, 'k'],
    [`a\${KEY}b\${KEY}`, 'akbk'],
    [`\${NONE:-x}`, 'x'],
    [`\${NONE:-}`, ''],
    [`\${EMPTY:-x}`, 'x'],
    [`\${EMPTY}`, ''],
    [`$\${KEY}`, `\${KEY}`],
    ['$KEY $$ $', '$KEY $$ $'],
    // What a variable holds is no further variable.
    [`\${REST}`, `\${KEY}`],
  ])('%s', (text, expected) => {
    expect(expand(text, env)).toEqual({ kind: 'text', text: expected });
  });

  test.each([
    [`\${NONE}`, 'the environment variable NONE is not set'],
    [`\${}`, 'is not the name of a variable'],
    [`\${a b}`, 'is not the name of a variable'],
  ])('%s is a fault', (text, expected) => {
    expect(expand(text, env)).toMatchObject({ fault: expect.stringContaining(expected) });
  });

  test('are told by name', () => {
    expect(variablesIn(`\${A} \${B:-c} $\${D}`)).toEqual(['A', 'B']);
  });
});
