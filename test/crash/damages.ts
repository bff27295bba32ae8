/** What can happen to the state of a run, by hand, by an editor, by git, by a disk. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Damage {
  readonly kind: string;
  readonly where: string;
  /** Damages a state folder; `false`: there is nothing of this kind to damage. */
  readonly apply: (state: string) => boolean;
}

const journalIn = (state: string) => join(state, 'history.jsonl');
const linesIn = (state: string) => readFileSync(journalIn(state), 'utf8').split('\n').slice(0, -1);
const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`;

const changing =
  (change: (journal: Buffer) => Buffer | string | null) =>
  (state: string): boolean => {
    const changed = change(readFileSync(journalIn(state)));
    if (changed === null) return false;
    writeFileSync(journalIn(state), changed);
    return true;
  };

/** Of one record: `from` and `to` are its place, without its newline. */
function ofRecord(record: number): Damage[] {
  const at = (
    kind: string,
    change: (journal: Buffer, from: number, to: number) => Buffer | string | null,
  ): Damage => ({
    kind,
    where: `record ${record}`,
    apply: changing((journal) => {
      let from = 0;
      for (let line = 1; line < record; line++) from = journal.indexOf(0x0a, from) + 1;
      return change(journal, from, journal.indexOf(0x0a, from));
    }),
  });
  const bytes = (journal: Buffer, from: number, to: number, byte: (at: number) => number) => {
    for (let place = from; place < to; place++) journal[place] = byte(place);
    return journal;
  };
  const middle = (from: number, to: number) => Math.floor((from + to) / 2);
  const lines = (change: (all: string[]) => string[] | null) => (journal: Buffer) => {
    const changed = change(journal.toString().split('\n').slice(0, -1));
    return changed && textOf(changed);
  };
  return [
    at('a flipped byte', (journal, from, to) => {
      const place = middle(from, to);
      return bytes(journal, place, place + 1, (here) => (journal[here] ?? 0) ^ 0x41);
    }),
    at('a flipped byte of a checksum', (journal, _from, to) =>
      bytes(journal, to - 5, to - 4, (here) => (journal[here] === 0x31 ? 0x32 : 0x31)),
    ),
    at('a flipped newline', (journal, _from, to) => bytes(journal, to, to + 1, () => 0x23)),
    at('forty bytes overwritten', (journal, from, to) => {
      const place = middle(from, to) - 20;
      return bytes(journal, Math.max(from, place), Math.min(to, place + 40), () => 0x3f);
    }),
    at('a hole of NULs', (journal, from, to) =>
      bytes(journal, from + 9, Math.min(to, from + 60), () => 0),
    ),
    at('cut inside', (journal, from, to) => journal.subarray(0, middle(from, to))),
    at('an older journal', (journal, _from, to) =>
      to + 1 === journal.length ? null : journal.subarray(0, to + 1),
    ),
    at(
      'a missing line',
      lines((all) => all.toSpliced(record - 1, 1)),
    ),
    at(
      'a doubled line',
      lines((all) => all.toSpliced(record, 0, all[record - 1] ?? '')),
    ),
    at(
      'swapped lines',
      lines((all) =>
        record >= all.length
          ? null
          : all.toSpliced(record - 1, 2, all[record] ?? '', all[record - 1] ?? ''),
      ),
    ),
  ];
}

const whole = (kind: string, apply: Damage['apply']): Damage => ({
  kind,
  where: 'the journal',
  apply,
});

/** @param other the state folder of another run, @param earlier an older snapshot of this one */
const ofJournal = (other: string): Damage[] => [
  whole(
    'CR LF',
    changing((journal) => journal.toString().replaceAll('\n', '\r\n')),
  ),
  whole(
    'a BOM',
    changing((journal) => `\ufeff${journal}`),
  ),
  whole(
    'blank lines at its end',
    changing((journal) => `${journal}\n\r\n`),
  ),
  whole(
    'no last newline',
    changing((journal) => journal.subarray(0, -1)),
  ),
  whole(
    'UTF-16',
    changing((journal) => Buffer.from(`\ufeff${journal}`, 'utf16le')),
  ),
  whole('CR LF and an overwritten record', (state) => {
    const lines = linesIn(state);
    lines[7] = '?'.repeat(80);
    writeFileSync(journalIn(state), lines.join('\r\n'));
    return true;
  }),
  whole(
    '0 bytes',
    changing(() => ''),
  ),
  whole(
    'NULs all through',
    changing((journal) => Buffer.alloc(journal.length)),
  ),
  whole(
    'a torn first record',
    changing((journal) => journal.subarray(0, Math.floor(journal.indexOf(0x0a) / 2))),
  ),
  whole(
    'made a web page',
    changing(() => '<!DOCTYPE html>\n<html><body>404</body></html>\n'),
  ),
  whole(
    'packed',
    changing((journal) => gzipSync(journal)),
  ),
  whole(
    'pretty-printed',
    changing((journal) =>
      journal
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.stringify(JSON.parse(line), null, 2))
        .join('\n'),
    ),
  ),
  whole("another run's file", (state) => {
    cpSync(journalIn(other), journalIn(state));
    return true;
  }),
  whole('removed', (state) => {
    rmSync(journalIn(state));
    return true;
  }),
  whole('removed with its snapshot', (state) => {
    rmSync(journalIn(state));
    rmSync(join(state, 'state.json'), { force: true });
    return true;
  }),
  whole('replaced by a copy', (state) => {
    const bytes = readFileSync(journalIn(state));
    rmSync(journalIn(state));
    writeFileSync(journalIn(state), bytes);
    return true;
  }),
  whole('made a folder', (state) => {
    rmSync(journalIn(state));
    cpSync(join(state, 'lock'), journalIn(state), { recursive: true });
    return true;
  }),
  whole('made a pipe', (state) => {
    if (process.platform === 'win32') return false;
    rmSync(journalIn(state));
    execFileSync('mkfifo', [journalIn(state)]);
    return true;
  }),
];

const ofSnapshot = (): Damage[] => [
  whole('no snapshot', (state) => {
    if (!existsSync(join(state, 'state.json'))) return false;
    rmSync(join(state, 'state.json'));
    return true;
  }),
  whole('a damaged snapshot', (state) => {
    const path = join(state, 'state.json');
    if (!existsSync(path)) return false;
    const bytes = readFileSync(path);
    bytes[40] = 0x3f;
    writeFileSync(path, bytes);
    return true;
  }),
];

/** Each blob gone, by its place in the list of them. */
const ofBlobs = (state: string): Damage[] =>
  readdirSync(join(state, 'blobs')).map((name, index) => ({
    kind: 'a missing blob',
    where: `blob ${index + 1}`,
    apply: (damaged) => {
      rmSync(join(damaged, 'blobs', name));
      return true;
    },
  }));

/** An overwritten record, and the snapshot lost as well: nothing has seen what stood there. */
const withoutSnapshot = ({ kind, where, apply }: Damage): Damage => ({
  kind: `${kind}, and no snapshot`,
  where,
  apply: (state) => {
    rmSync(join(state, 'state.json'), { force: true });
    return apply(state);
  },
});

/** Everything that is done to one run. */
export function damagesOf(state: string, other: string): Damage[] {
  const records = linesIn(state).flatMap((_line, index) => ofRecord(index + 1));
  const alone = records.filter(({ kind }) => /overwritten|NULs|cut inside|missing/.test(kind));
  return [
    ...records,
    ...alone.map(withoutSnapshot),
    ...ofJournal(other),
    ...ofSnapshot(),
    ...ofBlobs(state),
  ];
}
