/** Whether a person is told today, in words, what the history of a recorded run told of each record. */
import { expect } from 'vitest';

/** Each record that says something to a person is told once, in order, with what that build said of it. */
export function expectTold(told: readonly string[], raw: readonly string[]): void {
  const targets = new Map(raw.flatMap(targetOfIntent));
  const wanted = raw.flatMap((line) => {
    const words = wordsWanted(line, targets);
    return words === null ? [] : [{ number: Number.parseInt(line, 10), words }];
  });
  expect(told.map((line) => Number.parseInt(line, 10))).toEqual(wanted.map(({ number }) => number));
  for (const [index, { words }] of wanted.entries())
    for (const word of words) expect(told[index]).toContain(word);
}

/** `1.2#3#0 write_file lib/words.mjs` of an intent: only there is it said what its outcome is about. */
function targetOfIntent(line: string): readonly (readonly [id: string, target: string])[] {
  const [, id = '', target = ''] = /^ *\d+ action_intended +(\S+) \w+ (.+)$/.exec(line) ?? [];
  return id === '' ? [] : [[id, target]];
}

/** What of a line of that build has to be in the one of today; `null`: nothing is told of such a record. */
function wordsWanted(line: string, targets: ReadonlyMap<string, string>): readonly string[] | null {
  const [, type = '', text = ''] = /^ *\d+ (\w+) +(.*)$/.exec(line) ?? [];
  switch (type) {
    case 'message_added':
    case 'round_started':
    case 'rewound':
    case 'branched':
    case 'compaction_started':
    case 'action_intended':
    case 'action_started':
      return null;
    case 'action_finished': {
      const [, id = '', tool = '', status = ''] = /^(\S+) (\w+) (\w+)/.exec(text) ?? [];
      if (tool === 'mark_subtask_complete') return null;
      // What only read had no intent: the file that it read has its hash in the outcome.
      const target = targets.get(id) ?? (tool === 'read_file' ? '.' : '');
      return [`${tool.split('_')[0]} `, target, ...(status === 'ok' ? [] : [status])];
    }
    case 'plan_set':
    case 'replanned':
      return text.match(/\d+ (?:task|subtask)/g) ?? [];
    case 'turn_finished':
      return [/[\d,]+ tokens in.*/.exec(text)?.[0] ?? text];
    case 'check_ran':
      return [text.replace(/^check of \S+/, 'check')];
    case 'lease_taken':
    case 'run_resumed':
    case 'undo_finished':
      return [];
    case 'undo_started':
      return [text.replace(/s$/, '')];
    case 'compacted':
      return ['shortened'];
    case 'replan_started':
    case 'run_paused':
    case 'run_finished':
      return [text.replace(/^[\w ]+: /, '')];
    default:
      return [text];
  }
}
