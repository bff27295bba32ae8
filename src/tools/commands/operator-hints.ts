/** What to do instead of a shell operator: [the fault, the next step]. Pure. */
import { shortened } from '../../lib/text/shortened.ts';

/** @param mayStay whether the tool can leave a program running in the background */
export function operatorHint(
  line: string,
  { operator, at, mayStay }: { operator: string; at: number; mayStay: boolean },
): [string, string] {
  const before = line.slice(0, at).trim();
  const after = line.slice(at + operator.length).trim();
  const shown = operator === '\n' || operator === '\r' ? 'A new line' : `"${operator}"`;
  return [
    `${shown} needs a shell, and there is none: one program at a time.`,
    operator === '&' ? afterAmpersand(before, mayStay) : nextStep(operator, before, after),
  ];
}

const afterAmpersand = (before: string, mayStay: boolean): string =>
  mayStay
    ? `Run ${quote(before)} with the argument background set to true to keep it running.`
    : `Programs cannot be left in the background; run ${quote(before)} alone and let it end.`;

function nextStep(operator: string, before: string, after: string): string {
  switch (operator) {
    case '&&':
    case ';':
    case '||':
    case '\n':
    case '\r':
      return afterChain(before, after);
    case '|':
      return afterPipe(before, after);
    case '>':
    case '>>':
      return `Run ${quote(before.replace(/\d$/, '').trimEnd())} and use what it prints; to save text in a file use write_file.`;
    case '<':
    case '<<':
      return `Run ${quote(before)} and put the input into the stdin argument.`;
    default:
      return 'Run the inner command first and write its result into this one, or quote the text with single quotes.';
  }
}

function afterChain(before: string, after: string): string {
  const folder = /^cd\s+(.+)$/.exec(before)?.[1]?.replace(/^["']|["']$/g, '');
  if (folder === undefined) {
    return `Run ${quote(before)} now, and ${quote(after)} in a later call.`;
  }
  const start = 'Every command already starts in the workspace folder';
  return folder === '.' || /^(?:\/|~|[A-Za-z]:)/.test(folder)
    ? `${start}: leave out cd and run ${quote(after)}.`
    : `${start}: leave out cd and name the path, as in ${folder}/FILE, when you run ${quote(after)}.`;
}

function afterPipe(before: string, after: string): string {
  const echoed = /^(?:echo|printf)\s+(?:-[en]+\s+)?(.+)$/.exec(before)?.[1];
  if (echoed !== undefined) {
    const input = echoed.replace(/^["']|["']$/g, '');
    return `Use cmd ${quote(after)} with the argument stdin: ${quote(input)}.`;
  }
  return `Run ${quote(before)} alone; to feed a program, put its input into the stdin argument.`;
}

/** Enough characters to recognise one's own command. */
const MAX_QUOTED = 1000;

const quote = (text: string): string => JSON.stringify(shortened(text, MAX_QUOTED));
