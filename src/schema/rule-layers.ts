/** Permission rules as settings files contain them; only the policy interprets them. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** The source of each rule. A project may only restrict, so there is no place for rules that allow. */
export interface RuleLayers {
  readonly project?: Omit<RuleTexts, 'allow'>;
  readonly user?: RuleTexts;
}
