/** Which files ask: those that hold keys, and those that tell programs and agents what to do. Pure. */
import { isSecretFile } from '../languages/secret-files.ts';

/** What is read by an agent, a server or an editor before anybody looks at it. */
const INSTRUCTIONS =
  /^(?:agents?\.md|claude\.md|\.mcp\.json|\.tardigrade\.json|\.gitlab-ci\.yml|\.envrc)$/;
const INSTRUCTION_FOLDERS = /(?:^|\/)\.(?:github|husky|vscode)(?:\/|$)/;
/** Beginning a project with these starts nothing. */
const HARMLESS_FOR_GIT = /^\.git(?:ignore|keep)$/;

export const instructs = (path: string): boolean => {
  const plain = path.toLowerCase();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return (
    INSTRUCTION_FOLDERS.test(plain) ||
    INSTRUCTIONS.test(name) ||
    (/^\.git/.test(name) && !HARMLESS_FOR_GIT.test(name))
  );
};

export interface HeldFile {
  readonly reason: string;
  readonly isOffered: boolean;
}

/** Why a look at a file, or a change of it, asks; `null`: it does not. */
export function heldFile(does: 'read' | 'edit', path: string): HeldFile | null {
  if (isSecretFile(path)) return { reason: `${path} may hold keys.`, isOffered: false };
  return does === 'edit' && instructs(path)
    ? { reason: `${path} tells programs or agents what to do.`, isOffered: true }
    : null;
}
