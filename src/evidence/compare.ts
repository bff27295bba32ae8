/** Normalises the output of a command: removes what differs between any two runs. Pure. */

const DURATION =
  /\b(?:duration_ms:? ?)?\d+(?:[.,]\d+)?\s?(?:ns|[µu]s|ms|s|sec|secs|seconds?)\b|\bduration_ms:? ?\d+(?:[.,]\d+)?/g;
const TIME =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?Z?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g;
const ADDRESS = /\b0x[0-9a-f]+\b/gi;

/** @param folder the folder where the command ran */
export const comparable = (output: string, folder: string): string =>
  output
    .replaceAll(folder, '.')
    .replaceAll(DURATION, '<time>')
    .replaceAll(TIME, '<time>')
    .replaceAll(ADDRESS, '<address>')
    .replaceAll(/[ \t\r]+/g, ' ')
    .trim();
