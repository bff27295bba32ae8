/** One member of a settings file is set or removed, and every other character stays. */
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/host/config/document.ts';
import { withMember, withoutMember } from '../../../src/host/config/json-edit.ts';

const SERVER = { command: 'npx', args: ['-y', 'one'], env: { KEY: 'x' } };
const OF_B = ['mcpServers', 'b'] as const;

const COMMENTED = `{
  // mine
  "mcpServers": {
    "a": { "command": "x" } // about a
    // the end
  }, // after
  "model": "m", // model
}
`;
const ADDED = `{
  // mine
  "mcpServers": {
    "a": { "command": "x" }, // about a
    // the end
    "b": {
      "command": "npx",
      "args": ["-y", "one"],
      "env": { "KEY": "x" }
    }
  }, // after
  "model": "m", // model
}
`;

describe('a member', () => {
  test('stands behind the last one and its comment, which stay as they are', () => {
    expect(withMember(COMMENTED, OF_B, SERVER)).toBe(ADDED);
  });

  test('is removed with its comma, and with a comment on its line alone', () => {
    expect(withoutMember(ADDED, OF_B)).toBe(COMMENTED);
    const twice = '{\n  "a": 1, // one\n  // about b\n  "b": 2, // two\n  "c": 3\n}\n';
    expect(withoutMember(twice, ['b'])).toBe('{\n  "a": 1, // one\n  // about b\n  "c": 3\n}\n');
    expect(withoutMember(twice, ['c'])).toBe(
      '{\n  "a": 1, // one\n  // about b\n  "b": 2 // two\n}\n',
    );
    expect(withoutMember('{"a": 1, /* from here\n to here */ "b": 2}', ['a'])).toBe(
      '{ /* from here\n to here */ "b": 2}',
    );
    expect(withoutMember(twice, ['z'])).toBe(twice);
  });

  test('that is set already changes its value only', () => {
    expect(withMember('{\n  "model": "m" // mine\n}\n', ['model'], 'n')).toBe(
      '{\n  "model": "n" // mine\n}\n',
    );
  });

  test.each([
    ['of Windows', '{\r\n  "model": "m"\r\n}\r\n', /^(?:[^\r\n]*\r\n)+$/],
    ['with tabs', '{\n\t"model": "m"\n}\n', /\n\t"mcpServers": \{\n\t\t"b": \{\n\t\t\t"command"/],
    ['with a byte order mark', '\uFEFF{}\n', /^\uFEFF\{\n {2}"mcpServers": \{\n/],
    ['in one line', '{"mcpServers":{"a":{}}}', /^\{"mcpServers":\{"a":\{\},\n/],
    ['with a comment alone', '// top\n{\n  // none yet\n}', /none yet\n {2}"mcpServers"/],
  ])('comes to a file %s', (_, before, form) => {
    const after = withMember(before, OF_B, SERVER);
    expect(after).toMatch(form);
    expect(parseDocument('/f', after).value).toMatchObject({ mcpServers: { b: SERVER } });
    const rest = parseDocument('/f', withoutMember(after, OF_B)).value as { mcpServers: object };
    expect(rest.mcpServers).not.toHaveProperty('b');
  });
});
