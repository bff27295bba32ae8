// Tells the model about a call in its text that was not carried out, and how to send it correctly.

const SHOWN = 300;

const asJson = (name: string, args: Record<string, unknown>): string => {
  const json = JSON.stringify({ name, arguments: args });
  return json.length <= SHOWN ? json : `${json.slice(0, SHOWN)}…`;
};

const ALONE = 'If you mean it, answer with the call alone, as valid JSON';

/** @param usage the tool and its arguments, '' if no tool is known */
export const unreadable = (usage: string): string =>
  `A call${usage === '' ? '' : ` of ${usage}`} was begun in your answer but could not be read to its end: it was not carried out. ` +
  'Answer with the call alone, as valid JSON: {"name": TOOL, "arguments": {…}}';

export const faulty = (fault: string): string => `The call was not carried out. ${fault}`;

export const unclear = (name: string, args: Record<string, unknown>): string =>
  `It is not clear whether the call of ${name} in your answer was meant or only shown, so it was not carried out. ` +
  `${ALONE}: ${asJson(name, args)}`;

export const unfilled = (name: string, value: string): string =>
  `The call of ${name} was not carried out: ${JSON.stringify(value)} in it is only a placeholder. Call it with the real value.`;

export const tooMany = (most: number): string =>
  `There are more than ${most} calls in your answer: none of them was carried out. Answer with the next few.`;
