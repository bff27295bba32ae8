import { describe, expect, it } from 'vitest';
import { workedOut } from '../../src/probe/worked-out.ts';

const WEEK = 'mon Rosalia 6h\nmon Soren 2h\ntue Wanda 7h\nwed Wanda 2.5h\nthu Nora 2h\n';
const BILL = 'rent: 850\npower: 61.5\nwater: 20\n';

describe('a figure that answers "how many"', () => {
  it.each<[string, string, string, string]>([
    [
      'that only stands somewhere',
      'How many hours did Wanda work?',
      'Wanda worked 2 hours.',
      'says 2 of it',
    ],
    [
      'of one of several lines',
      'How many hours did Wanda work?',
      'Wanda worked 7 hours.',
      'says 7 of it',
    ],
    ['that was added up', 'How many hours did Wanda work?', '9.5 hours', 'says 9.5 of it'],
    ['of another line', 'How many hours did Nora work?', 'Nora worked 6 hours.', 'says 6 of it'],
    ['that was told in words', 'How many hours did Wanda work?', 'Nine and a half.', 'no figure'],
    ['of the goal', 'How many of the 5 rooms are free?', 'All 5 of them.', 'says 5 of it'],
    ['in another language', 'Wie viele Stunden hat Wanda gearbeitet?', '7 Stunden', 'says 7 of it'],
  ])('%s is not known', (_, goal, answer, wanted) => {
    expect(workedOut(goal, answer, [WEEK, 'week.txt'])).toContain(wanted);
  });

  it.each([
    ['on the only line about it', 'How much is the rent?', 'The rent is 850.', BILL],
    ['on the only line of a person', 'How many hours did Nora work?', 'Nora worked 2 hours.', WEEK],
    [
      'by a command that counts',
      'How many lines has a.txt?',
      '12 lines',
      'exit code 0\n12 a.txt\n',
    ],
    ['alone', 'How many tests are there?', '7', '7\n'],
    ['in the goal itself', 'How many of the 5 rooms are free?', '3 of 5 are free', 'free: 3\n'],
    ['with its commas', 'What is the sum of rent?', 'It is 1,850.', 'rent 1850'],
  ])('is known where it stands %s', (_, goal, answer, seen) => {
    expect(workedOut(goal, answer, [seen])).toBeNull();
  });

  it.each([
    ['Which port does it listen on?', 'On 8080.'],
    ['What does this error mean?', 'The file is gone.'],
    ['What does the count function do?', 'It adds 1.'],
  ])('is no matter where something else is asked: %s', (goal, answer) => {
    expect(workedOut(goal, answer, ['a 8080\nb 8080'])).toBeNull();
  });

  it('is not known on a line of several figures, nor where one figure is to answer two questions', () => {
    const goal = 'How many hours did Nora work, and on how many days?';
    expect(workedOut(goal, 'Nora worked 2 hours, 2 days.', [WEEK])).toContain('2 times');
    expect(workedOut('How many pulleys are there?', '14', ['pulleys,Jena,48,14'])).toContain('14');
  });

  it('is asked for by a total as well', () => {
    expect(workedOut('What is the total?', 'It is 20.', [BILL])).toContain('says 20 of it');
  });
});
