/** Judges tools of servers and of the embedding program by their names alone. Pure. */
import type { PolicyRequest } from '../tools/decision.ts';
import type { Subject } from './layers.ts';

/** `null`: the tool is neither. */
export function calledSubject({
  tool,
  server,
  own,
}: Pick<PolicyRequest, 'tool' | 'server' | 'own'>): Subject | null {
  if (server !== undefined)
    return subjectOf(
      `mcp(${server.name}.${server.tool})`,
      ({ pattern }) =>
        pattern.kind === 'mcp' &&
        pattern.server === server.name &&
        (pattern.tool === null || pattern.tool === server.tool),
      `${server.tool} of the server ${server.name} is not allowed without asking.`,
    );
  if (own === undefined) return null;
  return subjectOf(
    `tool(${tool})`,
    ({ pattern }) => pattern.kind === 'own' && pattern.tool === tool,
    own.isAsked ? `${tool} does not say what it reaches.` : null,
  );
}

/** @param reason why it needs a question; `null`: it needs none */
const subjectOf = (
  rule: string,
  isAbout: Subject['isAllowedBy'],
  reason: string | null,
): Subject => ({
  base: reason === null ? null : { effect: 'ask', reason, instead: '' },
  needsApprovalBy: isAbout,
  isAllowedBy: isAbout,
  isExact: () => true,
  want: { rule, isOffered: true },
});
