/**
 * A question to the person at the terminal.
 * 1. A key counts only after 350 ms without a key, measured from the moment the question is drawn or from the last key
 * that did not count. Earlier typing answers nothing.
 * 2. Only single keys answer, with or without Enter behind them; Enter, Escape and every other key mean no, or nothing.
 * 3. However it ends, the terminal is restored.
 */

import { inLine } from '../../lib/text/plain-text.ts';
import { isVisible, visible } from '../../lib/text/visible.ts';
import { ruleInWords, typedCommand } from '../../policy/rules/say.ts';
import {
  type AskPerson,
  answeredElsewhere,
  type PermissionQuestion,
  type PersonsAnswer,
} from '../../round/permission/person.ts';
import { PLAN_QUESTION } from '../../round/plan/plan-question.ts';
import { AT_TERMINAL, FOLDER_QUESTION } from '../../schema/journal/permissions.ts';
import { callLabel } from '../../shown/calls.ts';
import type { Terminal } from '../process/terminal.ts';
import { toneOf } from '../render/edit-rows.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle, type Style, type Tone } from '../render/text/style.ts';
import { pressedKey, quietKeys, REFUSING_KEYS, untilSettled } from './quiet-keys.ts';

const MAX_WHY = 500;

type Port = Pick<Terminal, 'stderr' | 'clock' | 'keys' | 'env' | 'platform'>;

/** How long a rule of the person lasts at most, unless it is kept. */
export type Lasting = 'this run' | 'this conversation';

/** @param hold hides what is redrawn until the returned function is called */
export const askAtTerminal =
  (terminal: Port, hold: () => () => void, lasting: Lasting = 'this run'): AskPerson =>
  async (question, signal) => {
    if (signal.aborted || terminal.keys === undefined) return { kind: 'none' };
    const release = hold();
    const { stderr } = terminal;
    const style = createStyle(terminal, stderr);
    printFolded(stderr, questionText(question, lasting, style));
    let why: string | null = null;
    const given = await untilSettled<PersonsAnswer>(signal, (settle) =>
      quietKeys(terminal, (key, isQuiet) => {
        if (why !== null) {
          const { line, isDone } = lineAfter(why, key);
          why = line;
          stderr.write(formatTypedReason(why, stderr.size().columns));
          if (isDone) settle({ kind: 'no', why: why.trim() });
          return;
        }
        if (!isQuiet) return;
        const pressed = pressedKey(key);
        if (pressed === 'w' && question.tool !== PLAN_QUESTION) {
          why = '';
          stderr.write(formatTypedReason('', stderr.size().columns));
          return;
        }
        const answer = answerBy(pressed, question);
        if (answer !== null) settle(answer);
      }),
    );
    const answer = given ?? ({ kind: 'none' } as const);
    const elsewhere = given === null ? answeredElsewhere(signal) : null;
    stderr.write(`${elsewhere ?? saidText(answer, lasting)}\n`);
    release();
    return answer.kind === 'none' ? answer : { ...answer, ...AT_TERMINAL };
  };

/** The text after `> `; '' for a typed reason, which is there already. */
function saidText(answer: PersonsAnswer, lasting: Lasting): string {
  switch (answer.kind) {
    case 'once':
      return 'yes';
    case 'run':
      return `yes, for ${lasting}`;
    case 'always':
      return 'yes, always here';
    case 'no':
      return answer.why === '' ? 'no' : '';
    case 'none':
      return '(not answered)';
  }
}

function answerBy(
  key: string,
  { offered, isForRunOnly }: PermissionQuestion,
): PersonsAnswer | null {
  switch (key.toLowerCase()) {
    case 'y':
      return { kind: 'once' };
    case 'r':
      return offered.length > 0 ? { kind: 'run' } : null;
    case 'a':
      return offered.length > 0 && !isForRunOnly ? { kind: 'always' } : null;
    default:
      return REFUSING_KEYS.has(key.toLowerCase()) ? { kind: 'no', why: '' } : null;
  }
}

function lineAfter(
  line: string,
  typed: string,
): { readonly line: string; readonly isDone: boolean } {
  let text = line;
  for (const letter of typed) {
    if (letter === '\r' || letter === '\n') return { line: text, isDone: true };
    if (letter === '\u007f' || letter === '\b') text = text.slice(0, -1);
    else if (letter >= ' ' && text.length < MAX_WHY) text += letter;
  }
  return { line: text, isDone: false };
}

/** Draws the line again with the typed text, since raw mode echoes nothing. A long text shows its end. */
function formatTypedReason(why: string, columns: number): string {
  const cells = Math.max(2, columns - 13);
  // Characters outside this range may take two cells.
  const most = /[^ -~]/.test(why) ? Math.floor(cells / 2) : cells;
  return `\r\u001b[K> no, why? ${inLine(why).slice(-most)}`;
}

const MAX_GIVEN = 2000;

/**
 * The whole input, except what would push the question off the screen: a count replaces that. A patch keeps its
 * lines.
 */
function formatInput(input: string, { paint }: Paint): string {
  if (isPatch(input))
    return input
      .split('\n')
      .map((line, at) => paint(patchTone(line, at), shownLine(line)))
      .join('\n');
  const more = input.length - MAX_GIVEN;
  return `  with ${visible(input.slice(0, MAX_GIVEN))}${more > 0 ? ` … and ${more} characters more` : ''}`;
}

type Paint = Pick<Style, 'paint'>;
const UNPAINTED: Paint = { paint: (_, text) => text };

/** The first two lines name the file. */
const patchTone = (line: string, at: number): Tone =>
  at < 2 || line.startsWith('@@') ? 'dim' : toneOf(line);

const isPatch = (text: string): boolean => text.startsWith('--- ');

/** A line in which nothing is hidden. Tabs are as wide as a terminal makes them. */
export const shownLine = (line: string): string =>
  `  ${line.split('\t').map(visible).join('    ')}`;

const UNSEEN =
  '  Some of its characters cannot be seen: they are written out here, such as \\n or \\u{200b}.';

/** Invisible characters are escaped, so that nothing hides in the lines. */
const planText = ({ target, inputText = '', reason }: PermissionQuestion): string =>
  [
    `Plan for: ${visible(target)}`,
    ...inputText.split('\n').map((line) => `  ${visible(line)}`),
    `Use this plan? ${visible(reason)}`,
    '  y  yes',
    '  n  no (Enter)',
    '> ',
  ].join('\n');

export function questionText(
  question: PermissionQuestion,
  lasting: Lasting = 'this run',
  style: Paint = UNPAINTED,
): string {
  if (question.tool === PLAN_QUESTION) return planText(question);
  const { tool, target, argv, folder, program, reason, offered, inputText, isForRunOnly } =
    question;
  const rules = offered.map((rule) => visible(ruleInWords(rule))).join(', ');
  const kept = [
    `  r  yes, for ${lasting}: ${rules}`,
    ...(isForRunOnly ? [] : [`  a  yes, always here: ${rules}`]),
  ];
  const isFolder = tool === FOLDER_QUESTION;
  const call = argv === null ? visible(target) : typedCommand(argv);
  // The lines of a patch have their invisible characters escaped already.
  const input = inputText === undefined || isPatch(inputText) ? '' : inputText;
  const isAllSeen = [target, folder, input, ...(argv ?? [])].every(isVisible);
  const lines = [
    style.paint(
      'strong',
      isFolder ? `Allow its programs to run? ${visible(reason)}` : 'Allow this?',
    ),
    `  ${visible(isFolder ? target : callLabel({ tool, target: call }))}`,
    ...(inputText === undefined ? [] : [formatInput(inputText, style)]),
    ...(folder === ''
      ? []
      : [`  in ${visible(folder)}${program === null ? '' : `, by ${visible(program)}`}`]),
    // The rules do not allow this call: their reason is what the question is about, so it comes last.
    ...(isFolder || reason === '' ? [] : [`  reason: ${visible(reason)}`]),
    ...(isAllSeen ? [] : [UNSEEN]),
    isFolder ? '  y  yes, until one of them changes' : '  y  yes, this once',
    ...(offered.length === 0 ? [] : kept),
    '  n  no (Enter)',
    '  w  no, and why',
  ];
  return `${lines.join('\n')}\n> `;
}
