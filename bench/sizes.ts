/**
 * How the work on an answer, a call or a file grows with its size: each piece of it is timed with n,
 * 2n and 4n of the input that is worst for it. What grows by more than three and a half is marked.
 * By hand: node scripts/run.mjs bench/sizes.ts [PART OF A NAME]
 */
import { ANSWERS } from './support/sizes-of-answers.ts';
import { CALLS } from './support/sizes-of-calls.ts';

const filter = process.argv[2] ?? '';
for (const [name, n, work] of [...ANSWERS, ...CALLS]) {
  if (!name.includes(filter)) continue;
  const took: number[] = [];
  for (const factor of [1, 2, 4]) {
    const start = performance.now();
    try {
      await work(n * factor);
    } catch (error) {
      console.log(`  ${name}: ${String(error).slice(0, 100)}`);
    }
    took.push(performance.now() - start);
    if (performance.now() - start > 8000) break;
  }
  const [, half = 0, last = 0] = took;
  const mark = last > 250 && last / half > 3.5 ? ' <== grows' : '';
  console.log(
    `${name.padEnd(48)} n=${n} ${took.map((t) => t.toFixed(1).padStart(9)).join('')}${mark}`,
  );
}
