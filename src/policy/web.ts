/** Judges a web address that is to be read. Pure. */
import { FETCH_HEAD } from '../tools/calls/rule-words.ts';
import type { CallDecision } from '../tools/decision.ts';
import { webAddress } from '../tools/web/address.ts';
import type { Subject } from './layers.ts';
import type { Rule } from './rules/rule.ts';

interface Web {
  readonly webOff?: string | null;
  readonly isProxied?: (url: URL) => boolean;
}

/** An invalid address is never requested; its tool explains the fault better. */
export function webDecision(
  text: string,
  { webOff = null, isProxied = () => false }: Web,
  judge: (subject: Subject) => CallDecision,
): CallDecision {
  const address = webAddress(text);
  if (!address.ok) return { kind: 'allow' };
  if (webOff !== null) return { kind: 'deny', reason: webOff, hint: 'Do without it.' };
  return judge(hostSubject(address.host, isProxied(address.url)));
}

/** A host is named in full: subdomains are different hosts. */
function hostSubject(host: string, isProxied: boolean): Subject {
  const names = ({ pattern }: Rule): boolean => pattern.kind === 'host' && pattern.host === host;
  const isAbout: Subject['isAllowedBy'] = (rule) =>
    names(rule) || (rule.pattern.kind === 'host' && rule.pattern.host === null);
  return {
    base: isProxied
      ? {
          effect: 'deny',
          reason: `A proxy stands between here and ${host}, so nobody can see here where that name leads.`,
          instead: '',
        }
      : { effect: 'ask', reason: `All of this address is sent to ${host}.`, instead: '' },
    needsApprovalBy: isAbout,
    isAllowedBy: isAbout,
    isExact: names,
    want: { rule: `${FETCH_HEAD}(${host})`, isOffered: true, isForRunOnly: true },
  };
}
