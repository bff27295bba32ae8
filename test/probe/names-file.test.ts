import { describe, expect, it } from 'vitest';
import { namesFile } from '../../src/probe/names-file.ts';

describe('a goal names a file', () => {
  it.each([
    ['Remove notes.txt.', 'notes.txt'],
    ['Remove notes.txt.', 'a/notes.txt'],
    ['Lösche `a/notes.txt`', 'a/notes.txt'],
    ['删除notes.txt文件', 'notes.txt'],
    ['Remove ./notes.txt', 'notes.txt'],
    ['Remove a\\notes.txt', 'a/notes.txt'],
    ['Remove old/', 'old/a.txt'],
    ['Remove Makefile', 'Makefile'],
  ])('%s: %s', (goal, path) => {
    expect(namesFile(goal, path)).toBe(true);
  });
});

describe('a goal does not name a file', () => {
  it.each([
    ['Remove old-notes.txt', 'notes.txt'],
    ['Remove mynotes.txt', 'notes.txt'],
    ['Remove notes.txt.bak', 'notes.txt'],
    ['Remove notes.txt', 'notes'],
    ['Remove b/notes.txt', 'a/notes.txt'],
    ['Remove NOTES.TXT', 'notes.txt'],
    ['Replace the old parser', 'old/a.txt'],
    ['Delete all that is unused', 'notes.txt'],
  ])('%s: %s', (goal, path) => {
    expect(namesFile(goal, path)).toBe(false);
  });
});
