import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SCRIPT = readFileSync('src/languages/python/empty.py', 'utf8');
const hasPython = spawnSync('python', ['--version']).status === 0;

function python(args: readonly string[], input = ''): string {
  const { stdout, stderr } = spawnSync('python', args, { input, encoding: 'utf8' });
  return stdout + stderr;
}

function altered(source: string, before: string | null = null, how = 'constant'): string {
  const line = python(['-c', SCRIPT], JSON.stringify({ how, source, before }));
  return (JSON.parse(line.slice('PROBE:'.length)) as { text: string }).text;
}

describe.skipIf(!hasPython)('functions of Python that give back a constant', () => {
  it('of the kind of what they give, methods and coroutines too', () => {
    const source = `"""Says what it is."""
from __future__ import annotations
import asyncio

def add(a, b):
    return a + b

class Box:
    def __init__(self, x):
        self.x = x

    @property
    def name(self):
        return "n" + str(self.x)

async def later(x):
    return [x]

def each():
    yield 1
`;
    const use = 'print([add(2, 3), Box(4).x, Box(4).name, asyncio.run(later(1)), list(each())])\n';
    expect(python(['-'], altered(source) + use).trim()).toBe("[0, 4, '', [], [1]]");
  });

  it('are only those that are new', () => {
    const old = 'def one(x):\n    return x + 1\n';
    const text = altered(`${old}\n\ndef two(x):\n    return x + 2\n`, old);
    expect(python(['-'], `${text}print([one(1), two(1)])\n`).trim()).toBe('[2, 0]');
  });

  it('or end where they give back a value, which nobody can catch', () => {
    const source = 'def note(x):\n    print(x)\n\n\ndef twice(x):\n    return 2 * x\n';
    const text = altered(source, null, 'no_value');
    const use = 'note(1)\ntry:\n    twice(2)\nexcept BaseException:\n    pass\n';
    expect(spawnSync('python', ['-'], { input: `${text}note(1)\n` }).status).toBe(0);
    expect(spawnSync('python', ['-'], { input: `${text}${use}` }).status).toBe(97);
  });
});
