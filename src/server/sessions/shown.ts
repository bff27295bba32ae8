/** A question of a conversation, as clients are shown it. Pure. */
import { defined } from '../../lib/defined.ts';
import type { Question as Asked } from '../../round/permission/person.ts';
import type { Question } from '../api/run-schemas.ts';

/** Characters of an input that somebody could change. */
const MOST_INPUT = 32_768;

export function shown(question: Asked): Question {
  const { id, tool, target, reason, offered, callId, argv, folder, program } = question;
  const { inputText, input, isForRunOnly } = question;
  return {
    ...{ id, tool, target, reason, rules: [...offered], isNoted: false, callId, folder, program },
    argv: argv === null ? null : [...argv],
    ...defined({ inputText, isForRunOnly }),
    ...(JSON.stringify(input).length > MOST_INPUT ? {} : { input }),
  };
}

/** As the earlier design has it. */
export function required(question: Asked): object {
  const { callId, id, tool, input, target, reason, offered, folder, program } = question;
  const shownId = callId === '' ? id : callId;
  return {
    ...{ callId: shownId, tool, args: input, target, reason, rules: offered },
    ...{ cwd: folder, program },
  };
}
