import type { Goal } from './goal.ts';
import { csvToJson } from './goals/csv-to-json.ts';
import { fixTest } from './goals/fix-test.ts';
import { fizzbuzz } from './goals/fizzbuzz.ts';
import { folder } from './goals/folder.ts';
import { hello } from './goals/hello.ts';
import { mathx } from './goals/mathx.ts';
import { rockPaperScissors } from './goals/rock-paper-scissors.ts';
import { todo } from './goals/todo.ts';

/** Easiest first. */
export const GOALS: readonly Goal[] = [
  hello,
  rockPaperScissors,
  mathx,
  folder,
  fizzbuzz,
  fixTest,
  todo,
  csvToJson,
];
