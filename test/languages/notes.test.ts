import { describe, expect, it } from 'vitest';
import type { Installed } from '../../src/languages/language.ts';
import { languagesOf } from '../../src/languages/languages-of.ts';
import { environmentNotes } from '../../src/languages/notes.ts';

const all = new Set(['python3', 'pytest', 'node']);
const namesOf = (goal: string, installed: Installed = all) =>
  languagesOf(goal, installed).map(({ name }) => name);

describe('The notes on how things are laid out', () => {
  it('take python for a script where it is installed', () => {
    expect(environmentNotes('Write a hello world script', all)).toMatch(
      /^Python: .*python3 -m pytest -q/,
    );
  });
  it('take JavaScript where the goal names it, in any language, or a file of it', () => {
    expect(namesOf('Write hello in JavaScript')).toEqual(['javascript']);
    expect(namesOf('Schreibe es in TypeScript')).toEqual(['javascript']);
    expect(namesOf('A server for Node.js')).toEqual(['javascript']);
    expect(namesOf('hello in a.mjs')).toEqual(['javascript']);
    expect(namesOf('A binary tree node class')).toEqual(['python']);
  });
  it('take JavaScript where python is missing', () => {
    expect(environmentNotes('hello', new Set(['node']))).toMatch(/^JavaScript: /);
  });
  it('say of a missing python that its files cannot be run, and what can', () => {
    expect(environmentNotes('hello.py', new Set(['node']))).toBe(
      'Python is not installed here: its files can be written but not run. JavaScript can be run by: node NAME.mjs',
    );
    expect(environmentNotes('hello.py', new Set())).toMatch(/not run\.$/);
  });
  it('name both where the goal names both, and neither where nothing runs', () => {
    expect(namesOf('port a.py to a.js')).toEqual(['python', 'javascript']);
    expect(environmentNotes('hello', new Set())).toBe('');
  });
  it('do not send the model to a pytest that is missing', () => {
    const notes = environmentNotes('hello', new Set(['python3', 'node']));
    expect(notes).toMatch(/-m unittest/);
    expect(notes).not.toMatch(/-m pytest/);
  });
  it('are short enough for a slow machine', () => {
    expect(environmentNotes('hello', all).length).toBeLessThan(420);
    expect(environmentNotes('hello.js', all).length).toBeLessThan(480);
  });
});
