import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { endingAtValues, givingConstants } from '../../../src/languages/javascript/constant.ts';

async function altered(text: string, before: string | null = null) {
  const changed = givingConstants(text, before, 'plain');
  if (changed === null) return null;
  return import(`data:text/javascript,${encodeURIComponent(changed)}`);
}

describe('functions that give back a constant', () => {
  it('of the kind of what they give', async () => {
    const made = await altered(`
export const add = (a, b) => a + b;
export function name(x) { return 'n' + x; }
export const list = (x) => { return [x]; };
export const is = (x) => x > 1;
export const made = (x) => ({ x });
export async function later(x) { await null; return x; }
export class Box { constructor(x) { this.x = x; } get() { return this.x; } }
`);
    expect(made.add(2, 3)).toBe(0);
    expect(made.name(1)).toBe('');
    expect(made.list(1)).toEqual([]);
    expect(made.is(0)).toBe(true);
    expect(made.made(1)).toBeNull();
    expect(await made.later(4)).toBe(0);
    expect(new made.Box(5).x).toBe(5);
    expect(new made.Box(5).get()).toBe(0);
  });

  it('are only those that are new', async () => {
    const old = 'export function one(x) { return x + 1; }\n';
    const made = await altered(`${old}export function two(x) { return x + 2; }\n`, old);
    expect([made.one(1), made.two(1)]).toEqual([2, 0]);
  });

  it('are none where nothing is given back', () => {
    expect(
      givingConstants('export function log(x) { console.log(x); }\n', null, 'plain'),
    ).toBeNull();
    expect(
      givingConstants('export function* all(x) { yield x; return x; }\n', null, 'plain'),
    ).toBeNull();
  });
});

describe('functions that end where they give back a value', () => {
  const exitOf = (use: string) => {
    const text = `export const list = [];
export function add(x) { [1].map((one) => { return one; }); list.push(x); }
export async function later(x) { if (x === 0) return; return x; }
`;
    const args = ['--input-type=module', '-e', `${endingAtValues(text, null, 'plain')}${use}`];
    return spawnSync(process.execPath, args).status;
  };

  it('end there, and only there', () => {
    const see = 'if (list.length !== 1) process.exit(1);';
    expect([exitOf(`add(1); await later(0); ${see}`), exitOf('await later(2);')]).toEqual([0, 97]);
  });
});
