/** Given files that must come to be exactly so; only spaces at the ends of lines are forgiven. */
import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import type { Files } from '../generator.ts';
import { linesOf, read } from '../look.ts';

export function isNow(evidence: Evidence, wanted: Files): Verdict {
  for (const [path, text] of Object.entries(wanted)) {
    const now = read(evidence, path);
    if (now === null) return missed(`${path} is gone`);
    const [seen, lines] = [linesOf(now), linesOf(text)];
    const at = lines.findIndex((line, index) => seen[index] !== line);
    if (at !== -1) {
      return missed(
        `${path}: line ${at + 1} is ${JSON.stringify(seen[at])}, not ${JSON.stringify(lines[at])}`,
      );
    }
    if (seen.length > lines.length) return missed(`${path}: ${seen[lines.length]} is too much`);
  }
  return reached('the files are as asked');
}

export const becomes =
  (wanted: Files) =>
  async (evidence: Evidence): Promise<Verdict> =>
    isNow(evidence, wanted);
