import { expect, it } from 'vitest';
import { thingsAsked } from '../../src/probe/things-asked.ts';

it.each<[string, number]>([
  ['What is in notes.txt?', 1],
  ['In deploy/ it says which port each uses. What is the one of mail, and who owns it?', 2],
  ['Which file is the largest and how many lines has it?', 2],
  ['Who wrote a.txt and when?', 2],
  ['What is its port and its owner?', 2],
  ['How many rows has sales.csv? What do they add up to?', 2],
  ['Tell me which test fails and why', 2],
  ['From a.txt, in which year was it, and in what town?', 2],
  ['What is the sum of the apples and the pears?', 1],
  ['When a.py is run, what does it print?', 1],
  ['Which service, which is in deploy/, uses port 80?', 1],
  ['Look at notes.txt, which is long. Who wrote it?', 1],
  ['Is there a test of add?', 0],
  ['Summarise report.txt', 0],
  ['Count the words that say who came and how', 0],
])('%s: %i', (goal, count) => {
  expect(thingsAsked(goal)).toBe(count);
});
