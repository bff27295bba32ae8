/** Pure: exchanges that show a small model the form in which it answers a whole goal at once. */

/**
 * A new file, a question, a changed file: for a 1.5B model an example is worth more than any rule. None resembles what
 * people ask for, because a small model would then give the example's answer.
 */
export const TRY_EXAMPLES: readonly { readonly asked: string; readonly answer: string }[] = [
  {
    asked: 'Goal: Write stars.py that prints five stars.',
    answer: 'stars.py\n```\nprint("*****")\n```',
  },
  {
    asked: 'Goal: Which port does the server use?\n\nsettings.ini\n```\n[server]\nport = 8080\n```',
    answer: 'The server uses port 8080.',
  },
  {
    asked: 'Goal: The greeting in greet.py must say Hi.\n\ngreet.py\n```\nGREETING = "Hello"\n```',
    answer: 'greet.py\n```\nGREETING = "Hi"\n```',
  },
];
