import { describe, expect, it } from 'vitest';
import { type Disk, type JournalledFacts, namedFact } from '../../src/probe/named-facts.ts';

const NOTHING: JournalledFacts = { changes: [], known: [], commands: [], written: [] };
const diskOf = (files: readonly string[], fresh: readonly string[] = []): Disk => ({
  isThere: (path) => files.includes(path),
  isNew: (path) => fresh.includes(path),
  files,
});
const fact = (named: string, doings: Partial<JournalledFacts>, disk: Disk) =>
  namedFact(named, { doings: { ...NOTHING, ...doings }, disk }).became;

describe('a file that the goal names', () => {
  it('was made where the run wrote it and found none', () => {
    const doings = { changes: [{ path: 'a.py', before: null }] };
    expect(fact('a.py', doings, diskOf(['a.py']))).toBe('made');
  });

  it('was changed where the run found another text, wherever it stands', () => {
    const doings = { changes: [{ path: 'src/a.py', before: 'x' }] };
    expect(fact('a.py', doings, diskOf(['src/a.py']))).toBe('changed');
    expect(fact('src/', doings, diskOf(['src/a.py']))).toBe('changed');
  });

  it('was changed where a command wrote it', () => {
    expect(fact('out.csv', {}, diskOf(['out.csv'], ['out.csv']))).toBe('changed');
  });

  it('was removed where the run knew it and it is gone', () => {
    expect(fact('old.txt', { known: ['old.txt'] }, diskOf([]))).toBe('removed');
  });

  it('is not known where it is absent and never was', () => {
    expect(fact('report.md', { written: ['report.md'] }, diskOf(['other.md']))).toBe('not_known');
  });

  it('is used where something that was written or run names it', () => {
    const disk = diskOf(['data.csv', 'calc.py']);
    expect(fact('data.csv', { written: ["open('data.csv')"] }, disk)).toBe('used');
    expect(fact('calc.py', { written: ['from calc import add'] }, disk)).toBe('used');
    expect(fact('calc.py', { commands: ['python calc.py'] }, disk)).toBe('used');
    expect(fact('calc.py', { written: ['calculate(recalc, calc-x)'] }, disk)).toBe('not_known');
  });

  it('is not used by being read', () => {
    const disk = diskOf(['data.csv']);
    expect(fact('data.csv', { known: ['data.csv'] }, disk)).toBe('not_known');
  });

  it('is not another one whose name ends alike', () => {
    const doings = { changes: [{ path: 'mydata.csv', before: null }] };
    expect(fact('data.csv', doings, diskOf(['mydata.csv']))).toBe('not_known');
  });
});
