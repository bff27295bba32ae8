/** Parses texts of rules into layers. Pure. */
import type { RuleLayers } from '../schema/rule-layers.ts';
import type { Layers } from './layers.ts';
import { parseRules, type ReadingRules } from './rules/parse.ts';

/** Throws E_USAGE for a text that is not a rule. */
export const readLayers = ({ project, user }: RuleLayers, reading: ReadingRules): Layers => ({
  project: {
    ask: parseRules(project?.ask ?? [], reading),
    deny: parseRules(project?.deny ?? [], reading),
  },
  user: {
    allow: parseRules(user?.allow ?? [], reading),
    ask: parseRules(user?.ask ?? [], reading),
    deny: parseRules(user?.deny ?? [], reading),
  },
});
