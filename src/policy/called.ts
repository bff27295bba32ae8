/** Judges tools of servers and of the embedding program by their names alone. Pure. */
import type { PolicyRequest } from '../tools/decision.ts';
import type { Subject } from './layers.ts';

/** `null`: the tool is neither. */
export function calledSubject({
  tool,
  server,
  own,
}: Pick<PolicyRequest, 'tool' | 'server' | 'own'>): Subject | null {
  if (server !== undefined) return serverSubject(server);
  return own === undefined ? null : ownSubject(tool, own);
}

const serverSubject = ({ name, tool }: NonNullable<PolicyRequest['server']>): Subject => {
  const isAbout: Subject['needsApprovalBy'] = ({ pattern }) =>
    pattern.kind === 'mcp' &&
    pattern.server === name &&
    (pattern.tool === null || pattern.tool === tool);
  return {
    base: {
      effect: 'ask',
      reason: `${tool} of the server ${name} is not allowed without asking.`,
      instead: '',
    },
    needsApprovalBy: isAbout,
    isAllowedBy: isAbout,
    isExact: () => true,
    want: { rule: `mcp(${name}.${tool})`, isOffered: true },
  };
};

const ownSubject = (tool: string, { isAsked }: NonNullable<PolicyRequest['own']>): Subject => {
  const isAbout: Subject['needsApprovalBy'] = ({ pattern }) =>
    pattern.kind === 'own' && pattern.tool === tool;
  return {
    base: isAsked
      ? { effect: 'ask', reason: `${tool} does not say what it reaches.`, instead: '' }
      : null,
    needsApprovalBy: isAbout,
    isAllowedBy: isAbout,
    isExact: () => true,
    want: { rule: `tool(${tool})`, isOffered: true },
  };
};
