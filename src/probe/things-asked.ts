/** How many things a question asks for at least, as far as its words tell. Pure. */

const WH = String.raw`(?:what|which|who(?:se|m)?|when|where|why|how)\b`;
const BEFORE = '(?:(?:in|on|at|of|for|to|by|with|from|under|since) )?';
/** A second question of the same sentence: `…, and who wrote it?` */
const FURTHER = new RegExp(String.raw`\b(?:and|or|also),? (?:also )?${BEFORE}${WH}`, 'g');
/** `What is its port and its owner?` */
const ITS = /\band (?:also )?(?:its|their|his|her)\b/g;
const FIRST = new RegExp(`^(?:(?:please )?(?:tell me|say|find out|show me) )?${BEFORE}${WH}`);
/** Behind a comma only a mark tells it from `notes.txt, which is long`. */
const LATER = new RegExp(`[,:;-] ?${BEFORE}${WH}.*\\?$`);

/** 0 for what is no question in such a word: it may be answered by yes. */
export function thingsAsked(goal: string): number {
  const sentences = goal
    .toLowerCase()
    .split(/(?<=[.!?])\s+|\n/)
    .filter((sentence) => FIRST.test(sentence) || LATER.test(sentence.trim()));
  const further = sentences.flatMap((one) => [...one.matchAll(FURTHER), ...one.matchAll(ITS)]);
  return sentences.length + further.length;
}
