/** Reads what a rock-paper-scissors game said in its first round. Pure. */

export const CHOICES = ['rock', 'paper', 'scissors'] as const;
export type Choice = (typeof CHOICES)[number];
export type Outcome = 'win' | 'lose' | 'tie';

const BEATS: { readonly [choice in Choice]: Choice } = {
  rock: 'scissors',
  paper: 'rock',
  scissors: 'paper',
};

export function outcomeOf(mine: Choice, other: Choice): Outcome {
  if (mine === other) return 'tie';
  return BEATS[mine] === other ? 'win' : 'lose';
}

const OTHER = String.raw`(?:computer|cpu|opponent|bot|machine|\bai\b|\bi\b|player\s*(?:2|two))`;
const PLAYED = String.raw`(?:'s)?\s*(?:(?:choice|move|pick)\s*)?(?:has\s+)?(?:chose|chooses|chosen|picked|picks|selected|selects|played|plays|threw|throws|is|was|:|=|-)`;
const OTHERS_CHOICE = new RegExp(
  `${OTHER}${PLAYED}[^a-z\\n]*(?:the\\s+)?(rock|paper|scissors)\\b`,
  'i',
);

/** What each side did and how it ended, as the game says it. */
export interface Talk {
  readonly other: Choice | null;
  readonly outcome: Outcome | null;
}

/** `output` is all the game printed; the first round counts. */
export function readTalk(output: string, isTwoPlayers: boolean): Talk {
  const shown = OTHERS_CHOICE.exec(output);
  const after = shown ? output.slice(shown.index + shown[0].length) : output;
  const other = (shown?.[1]?.toLowerCase() ?? null) as Choice | null;
  return {
    other,
    outcome: firstOutcome(after, isTwoPlayers) ?? firstOutcome(output, isTwoPlayers),
  };
}

function firstOutcome(text: string, isTwoPlayers: boolean): Outcome | null {
  const me = isTwoPlayers
    ? String.raw`player\s*(?:1|one)`
    : String.raw`(?:you|player(?:\s*1)?|user|human)`;
  const rules: readonly (readonly [Outcome, RegExp])[] = [
    ['tie', /\b(?:tie|tied|draw|drew)\b/i],
    ['win', new RegExp(String.raw`\b${me}\b(?:\s+(?:have|has))?\s+(?:wins?|won|beats?)\b`, 'i')],
    ['win', /\b(?:computer|cpu|opponent|bot|ai|player\s*(?:2|two))\s+(?:loses?|lost)\b/i],
    [
      'win',
      /\bwinner\s*(?:is)?\s*:?\s*(?:the\s+)?(?:you|user|human|player(?:\s*(?:1|one))?)\b(?!\s*(?:2|two))/i,
    ],
    ['lose', /\byou(?:\s+have)?\s+(?:lose|lost)\b/i],
    [
      'lose',
      /\b(?:computer|cpu|opponent|bot|machine|ai|i|player\s*(?:2|two))(?:\s+(?:have|has))?\s+(?:wins?|won|beats?)\b/i,
    ],
    [
      'lose',
      /\bwinner\s*(?:is)?\s*:?\s*(?:the\s+)?(?:computer|cpu|opponent|bot|ai|player\s*(?:2|two))\b/i,
    ],
  ];
  let first: { at: number; outcome: Outcome } | null = null;
  for (const [outcome, pattern] of rules) {
    const at = text.search(pattern);
    if (at >= 0 && (first === null || at < first.at)) first = { at, outcome };
  }
  return first?.outcome ?? null;
}
