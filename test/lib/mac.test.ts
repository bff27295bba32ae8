import { describe, expect, it } from 'vitest';
import { isMacOf, macOf } from '../../src/lib/mac.ts';

const KEY = new Uint8Array(32).fill(1);

describe('a MAC', () => {
  it('holds for the same parts and the same key, and for nothing else', () => {
    const mac = macOf(KEY, ['grant', 'run', 1, null]);
    expect(mac).toMatch(/^[0-9a-f]{64}$/);
    expect(isMacOf(KEY, ['grant', 'run', 1, null], mac)).toBe(true);
    expect(isMacOf(KEY, ['grant', 'run', '1', null], mac)).toBe(false);
    expect(isMacOf(KEY, ['grantrun', 1, null], mac)).toBe(false);
    expect(isMacOf(new Uint8Array(32), ['grant', 'run', 1, null], mac)).toBe(false);
  });

  it('of another form is none', () => {
    const parts = ['grant'];
    for (const mac of [undefined, '', 'zz', macOf(KEY, parts).slice(2), `${macOf(KEY, parts)}00`])
      expect(isMacOf(KEY, parts, mac)).toBe(false);
  });
});
