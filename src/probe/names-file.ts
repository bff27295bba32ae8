/** Whether a goal names a file, by the bytes of its path alone. Pure; it reads no other word of the goal. */

const BEFORE = /[\w/\\-]$/;
const AFTER = /^(?:[\w/\\-]|\.\w)/;

/**
 * True if the path, its end or its base name stands in the goal, bounded on both sides: `notes.txt`
 * names `a/notes.txt`, and neither `old-notes.txt` nor `b/notes.txt` does. A folder written with its
 * slash names everything in it.
 */
export function namesFile(goal: string, path: string): boolean {
  const text = goal.replaceAll('\\', '/');
  const parts = path.split('/');
  const ends = parts.map((_, index) => parts.slice(index).join('/'));
  const folders = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
  return (
    ends.some((name) => stands(text, name, AFTER)) ||
    folders.some((folder) => stands(text, folder, /^[\w-]/))
  );
}

/** True if a name stands in a text, bounded on both sides. */
export function stands(text: string, name: string, after = AFTER): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(0, at).replace(/(?:^|(?<![\w.]))\.\/$/, '');
    if (!BEFORE.test(before) && !after.test(text.slice(at + name.length))) return true;
  }
  return false;
}
