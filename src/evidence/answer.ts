/** Finds where the run read the figures and names of an answer. Nothing here proves the answer. */

import type { Interruptible } from '../lib/interruptible.ts';
import { isCommand, isRead } from '../schema/capability.ts';
import type { AnswerSources } from '../schema/evidence.ts';
import type { JournalRecord, RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { listed } from './evidence.ts';
import {
  asFigure,
  asName,
  factsInAnswer,
  holdsParts,
  type Normalised,
  normalised,
} from './facts-in-answer.ts';
import { eachOf, type Records } from './reading.ts';
import type { WorkPort } from './work.ts';

/** Text that the run read or a command printed. */
interface Finding {
  readonly text: string;
  /**
   * The text before echoes of the request were blanked, with the same lines; left out: nothing was blanked.
   */
  readonly whole?: string;
  /** The file that was read; `null` when the text came from elsewhere. */
  readonly file: string | null;
  /** The source, worded for people. */
  readonly from: string;
}

const MAX_FOUND = 12;
const MAX_UNREAD = 20;
const LONGEST_LINE = 80;

/** Looks up each figure and name of the answer in what the run read. @param text the answer */
export function* findSources(
  run: WorkPort,
  records: Records,
  text: string,
): Interruptible<AnswerSources> {
  const { read, headings, fromEngine, given } = yield* seenIn(run, records);
  const { figures, names } = factsInAnswer(text);
  const placeOf = places(run, [...read, ...headings, ...fromEngine]);
  const known = normalised(given);
  const found: AnswerSources['found'] = [];
  const isMade = (what: string): boolean =>
    read.some(({ text: one, file }) => file !== null && holdsParts(one, what));
  const unread: string[] = [];
  const add = (what: string, isIn: IsIn): void => {
    const stands = placeOf(isIn);
    if (stands !== null) found.push({ what, ...stands });
    else if (!isIn(known) && !isMade(what)) unread.push(what);
  };
  for (const figure of figures) {
    yield;
    const plain = asFigure(figure);
    add(figure, (line) => line.figures.has(plain));
  }
  for (const name of names) {
    yield;
    const plain = asName(name);
    add(name, (line) => standsWhole(line.name, plain));
  }
  return {
    found: found.slice(0, MAX_FOUND),
    unread: unread.slice(0, MAX_UNREAD),
    ...(read.length > 0 ? {} : { nothingRead: true as const }),
    ...(hasUnseen(run.context.state) ? { unseen: true as const } : {}),
  };
}

const hasUnseen = ({ commandChanges }: Pick<RunState, 'commandChanges'>): boolean =>
  Object.values(commandChanges.files).some(({ isUnseen }) => isUnseen);

/** The result as one sentence for the user. */
export function sourcesText({ found, unread, nothingRead, unseen }: AnswerSources): string {
  const whats = new Map<string, string[]>();
  for (const { what, where } of found) whats.set(where, [...(whats.get(where) ?? []), what]);
  const each = [...whats].map(([where, some]) => `${listed(some)} in ${where}`);
  const places =
    each.length === 0
      ? []
      : [`found in what was read, and not checked beyond that: ${each.join(', ')}`];
  return [
    unseen === true ? 'no file here was seen to be changed' : 'no file here was changed',
    ...(nothingRead === true ? ['nothing was read or printed in this run'] : []),
    ...places,
    ...(unread.length > 0 ? [`found nowhere in what was read: ${listed(unread)}`] : []),
  ].join('; ');
}

type IsIn = (text: Normalised) => boolean;
type Place = Omit<AnswerSources['found'][number], 'what'>;

/** Finds the first place of a fact; each text and file is prepared once, however many facts there are. */
function places({ world }: WorkPort, findings: readonly Finding[]): (isIn: IsIn) => Place | null {
  const all = findings.map((one) => ({ ...one, seen: normalised(one.text) }));
  const files = new Map<string, Normalised>();
  const linesOf = (file: string): readonly Normalised[] => {
    const known = files.get(file) ?? normalised(world.readText(file) ?? '');
    files.set(file, known);
    return known.lines;
  };
  return (isIn) => {
    const found = all.find(({ seen }) => isIn(seen));
    if (found === undefined) return null;
    const { seen, whole, file, from } = found;
    const lines = file === null ? [] : linesOf(file);
    // A file may have been read in part: only lines that were shown count.
    const at = lines.findIndex((line) => isIn(line) && seen.text.includes(line.text));
    if (at >= 0) return { where: `${file}:${at + 1}`, line: trimmedLine(lines[at]?.text ?? '') };
    const place = seen.lines.findIndex(isIn);
    if (place < 0) return { where: from };
    const shown = whole === undefined ? seen.lines[place]?.text : whole.split(/\r?\n/)[place];
    return { where: from, line: trimmedLine(shown ?? '') };
  };
}

const trimmedLine = (line: string): string => line.trim().slice(0, LONGEST_LINE);

interface SeenTexts {
  /** What the run read and printed. */
  readonly read: readonly Finding[];
  /** What tools said above the lines of a file. */
  readonly headings: readonly Finding[];
  /** What the engine told the model: its survey of the folder, and the project's instruction files. */
  readonly fromEngine: readonly Finding[];
  /** What the person wrote. It is neither found nor reported as unread. */
  readonly given: string;
}

/** Arguments of the model's own calls are not findings, and neither are results that echo them. */
function* seenIn({ context, world }: WorkPort, records: Records): Interruptible<SeenTexts> {
  const { goal } = context.state;
  const read: Finding[] = [];
  const headings: Finding[] = [];
  const fromEngine: Finding[] = [];
  const given = [goal];
  const asked = new Map<string, readonly string[]>();
  yield* eachOf(records, (record) => {
    if (record.type === 'action_intended') asked.set(record.id, textsIn(record.args));
    if (record.type === 'person_said') given.push(context.textOf(record.text));
    const heading = headingOf(record, world);
    if (heading !== null) headings.push(heading);
    read.push(...readIn(record, asked, heading), ...filesInQuestion(record, world));
    fromEngine.push(...contextIn(record, goal));
  });
  return { read, headings, fromEngine, given: given.join('\n') };
}

/** The tool's own heading: the first line of what it showed of a file, if the file has no such line. */
function headingOf(record: JournalRecord, { readText }: WorkPort['world']): Finding | null {
  if (record.type !== 'action_finished' || !isFinding(record) || !isRead(record)) return null;
  const [line = ''] = String(record.result).split('\n', 1);
  const lines = readText(record.target ?? '')?.split('\n');
  return lines === undefined || lines.includes(line)
    ? null
    : { text: line, file: null, from: `what ${record.tool} showed` };
}

function readIn(
  record: JournalRecord,
  asked: ReadonlyMap<string, readonly string[]>,
  heading: Finding | null,
): readonly Finding[] {
  if (record.type === 'check_ran' && !record.scratch && 'cmd' in record.check)
    return [{ text: String(record.text), file: null, from: `\`${record.check.cmd}\`` }];
  if (record.type !== 'action_finished' || !isFinding(record)) return [];
  const { tool } = record;
  const target = record.target ?? '';
  const own = record.touches === 'network' ? (asked.get(record.id) ?? []) : [];
  const whole = String(record.result);
  const text = without(own, whole);
  // The path of a file that was read is a finding. A search term is not.
  if (isRead(record) && target !== '')
    return [
      { text: text.slice(heading?.text.length ?? 0), file: target, from: target },
      { text: target, file: null, from: target },
    ];
  const from = isCommand(record) ? `\`${target}\`` : `what ${tool} showed`;
  return [{ text, whole, file: null, from }];
}

/** Files quoted whole in a question. Nothing was changed, so they still read as they were shown. */
const filesInQuestion = (record: JournalRecord, world: WorkPort['world']): readonly Finding[] =>
  record.type !== 'message_added'
    ? []
    : (record.shows ?? []).flatMap(({ path, from }) =>
        from === undefined
          ? [
              { text: world.readText(path) ?? '', file: path, from: path },
              { text: path, file: null, from: path },
            ]
          : [],
      );

function contextIn(record: JournalRecord, goal: string): readonly Finding[] {
  if (record.type === 'settings_changed')
    return (record.instructions?.files ?? []).map(({ path, text }) => ({
      text: String(text),
      file: null,
      from: path,
    }));
  return record.type === 'message_added' && record.cause === 'survey'
    ? [{ text: without([goal], String(record.text ?? '')), file: null, from: 'the folder' }]
    : [];
}

/**
 * Refusals and failed reads only repeat what was asked for. The output of a command counts whatever its exit
 * code.
 */
const isFinding = (record: RecordOf<'action_finished'>): boolean => {
  const { touches, status } = record;
  return isCommand(record)
    ? status !== 'denied' && status !== 'blocked'
    : (touches === 'reads' || touches === 'network') && status === 'ok';
};

/** Shorter words and figures stand in too many places to tell an echo. */
const SHORTEST_ECHO = 3;

/** A server may echo the request; the echoed words are not a finding. A piece of another word is no echo. */
const without = (own: readonly string[], text: string): string =>
  own
    .filter((word) => word.length >= SHORTEST_ECHO)
    .reduce(
      (rest, word) =>
        rest.replaceAll(word, (echo: string, at: number) =>
          isPiece(rest, at, at + echo.length) ? echo : echo.replaceAll(/[^\r\n]+/g, ' '),
        ),
      text,
    );

/** True if the name stands there other than as a piece of a longer word. */
function standsWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isPiece(text, at, at + name.length)) return true;
  return false;
}

const isPiece = (text: string, start: number, end: number): boolean =>
  isJoined(text, start) || isJoined(text, end);

/** True inside a number, or inside a word of a script with letter case. */
const isJoined = (text: string, at: number): boolean =>
  /(?:[\p{Ll}\p{Lu}\p{N}_]|\p{N}[.,])$/u.test(text.slice(Math.max(0, at - 2), at)) &&
  /^(?:[\p{Ll}\p{Lu}\p{N}_]|[.,]\p{N})/u.test(text.slice(at, at + 2));

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
