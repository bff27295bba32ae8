/** Rules for what may be done, as settings files hold them: words that only the policy reads. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Who says what. A project may only hold back, so there is no place for what it would allow. */
export interface RuleLayers {
  readonly project?: Omit<RuleTexts, 'allow'>;
  readonly user?: RuleTexts;
}
