/** Exchanges that show a small model in which form it answers a whole goal at once. Pure. */

/**
 * A file that is new, a question, a file that changes: with a 1.5B an example is worth more than any rule.
 * None is like what people ask for, since a small model gives an example's answer then.
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
