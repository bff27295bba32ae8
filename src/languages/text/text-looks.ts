/** Pure: looks at the text of a file that need no checker of its language. */

const CODE = new Set(
  'py js mjs cjs ts mts cts jsx tsx json css html sh rb go rs java c h cpp toml yaml yml sql'.split(
    ' ',
  ),
);
function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** By its ending: code, markup or settings that a program reads. */
export const isCodeFile = (path: string): boolean => CODE.has(extensionOf(path));

/**
 * @param parses what the language's own checker said; `null` when it was not asked.
 * @param before the text that was there: a comment that stands in it is somebody's own
 */
export function textProblems(
  path: string,
  text: string,
  parses: boolean | null,
  before: string | null = null,
): readonly string[] {
  const extension = extensionOf(path);
  if (!CODE.has(extension)) return [];
  return [...fenceProblems(text, parses), ...placeholderProblems(extension, text, before)];
}

/** The first and the last line tell; one in the middle may stand in a text of the program. */
function fenceProblems(text: string, parses: boolean | null): readonly string[] {
  const lines = text.split(/\r?\n/);
  const fences = lines.flatMap((line, index) => (/^\s*```[\w+-]*\s*$/.test(line) ? [index] : []));
  const [first] = fences;
  if (first === undefined) return [];
  const opensFile = lines.slice(0, first).every((line) => line.trim() === '');
  if (!opensFile && parses !== false) return [];
  return [`line ${first + 1}: a \`\`\` mark of an answer is in the file: leave it out`];
}

/** A mark at the start of a comment, as programs know it; "TODO list" is what a program may be about. */
const TO_DO = /^(?:TODO|FIXME|XXX)(?:\s*[:(]|\s+-\s|\s*$)/;
/** Dots at its start stand for what an answer left out, in whatever language. */
const LEFT_OUT = /^(?:\.{3}|\u2026)(?!\w)/;

function placeholderProblems(
  extension: string,
  text: string,
  before: string | null,
): readonly string[] {
  const old = new Set(commentsOf(extension, before ?? '').map(({ comment }) => comment));
  const found = commentsOf(extension, text).find(
    ({ comment }) => !old.has(comment) && (TO_DO.test(comment) || LEFT_OUT.test(comment)),
  );
  if (!found) return [];
  const shown = found.comment.slice(0, 60);
  return [`line ${found.line}: the comment "${shown}" stands for code that is missing: write it`];
}

/** Comments that fill their line, and the trailing ones that begin with a to-do mark. */
function commentsOf(
  extension: string,
  text: string,
): readonly { readonly line: number; readonly comment: string }[] {
  const mark = /^(?:py|sh|rb|toml|yaml|yml)$/.test(extension)
    ? '#'
    : extension === 'sql'
      ? '--'
      : '//';
  const trailing = new RegExp(`[\\s;)}:]${mark}\\s*((?:TODO|FIXME)\\b.*)$`);
  const comments: { line: number; comment: string }[] = [];
  let insideText: string | null = null;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    const wasInside = insideText !== null;
    insideText = textOpenAfter(extension, raw, insideText);
    if (wasInside) continue;
    if (line.startsWith(mark)) {
      if (extension === 'py' || !wasInside) insideText = null;
      comments.push({
        line: index + 1,
        comment: line.slice(mark.length).replace(/^[\s#/*-]+/, ''),
      });
    } else {
      const after = trailing.exec(raw)?.[1];
      if (after && !/["'`].*["'`]\s*[,)]*$/.test(after))
        comments.push({ line: index + 1, comment: after });
    }
  }
  return comments;
}

/** Which many-line text is open after a line: a docstring in Python, a template in JavaScript. */
function textOpenAfter(extension: string, line: string, open: string | null): string | null {
  const marks =
    extension === 'py' ? /"""|'''/g : /^[cm]?[jt]sx?$/.test(extension) ? /(?<!\\)`/g : null;
  if (!marks) return null;
  let inside = open;
  for (const [mark] of line.matchAll(marks)) {
    if (inside === null) inside = mark;
    else if (inside === mark) inside = null;
  }
  return inside;
}
