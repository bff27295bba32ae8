/** The text about what the engine saw of the folder before it asks for a plan. */

export interface FileHead {
  readonly path: string;
  readonly bytes: number;
  /** `null`: it is only named, for this reason. */
  readonly text: string | null;
  readonly lines: number;
  readonly isWhole: boolean;
  readonly why: string;
}

export const WHY_NOT_SHOWN = {
  secret: 'not shown: it may hold keys',
  rule: 'not shown: a rule holds it back',
  noText: 'not shown: it is no text',
  noRoom: 'not shown',
} as const;

/** Each file with its size and its text or first lines; '' if there are none. */
export const headsText = (heads: readonly FileHead[]): string => heads.map(headText).join('\n');

function headText({ path: name, bytes, text, lines, isWhole, why }: FileHead): string {
  // A name may contain line ends, and must not inject text with them.
  const path = name.replace(/\p{Cc}/gu, '?');
  if (text === null) return `${path} (${bytes} bytes), ${why}.`;
  const size = isWhole ? `${bytes} bytes` : `${bytes} bytes, only its first ${lines} lines`;
  const fence = fenceFor(text);
  return `${path} (${size}):\n${fence}\n${text}\n${fence}`;
}

/** Longer than any in the text, so that no file can end its own block. */
function fenceFor(text: string): string {
  const longest = Math.max(0, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}

export const testsPass = (cmd: string): string => `The tests that are there pass: ${cmd}`;

export const testsFail = (cmd: string, failures: readonly string[]): string =>
  [`The tests that are there fail: ${cmd}`, ...failures.map((one) => `- ${one}`)].join('\n');

/** The tests neither passed nor failed, so nothing follows from them. */
export const testsInconclusive = (cmd: string, why: string): string =>
  `The tests that are there could not be run: ${cmd}: ${why}`;
