/**
 * Which files ask before they are read or changed: those that hold keys, and those that tell programs and agents what
 * to do. Pure. Which files ask before they are removed: `evidence/users-files.ts`.
 */
import { PUT_ASIDE } from '../journal/layout.ts';
import { STEERING_FILES } from '../languages/commands/programs.ts';
import { isSecretFile } from '../languages/files/secret-files.ts';
import { isStateFolder } from '../workspace/path-rules.ts';
import type { PathDoes } from './rules/rule.ts';

/** What is read by an agent, a server or an editor before anybody looks at it. */
const INSTRUCTIONS = [
  ...STEERING_FILES,
  ...'agents.md agent.md claude.md gemini.md .cursorrules .windsurfrules .aider.conf.yml .mcp.json .tardigrade.json .envrc .bashrc .profile .zshrc .gitlab-ci.yml .travis.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile .pre-commit-config.yaml lefthook.yml'.split(
    ' ',
  ),
];
const INSTRUCTION_FOLDERS =
  '.github .husky .vscode .idea .zed .fleet .run .cargo .circleci .devcontainer .claude .cursor .codex .agents'.split(
    ' ',
  );
/** Beginning a project with these starts nothing. */
const HARMLESS_FOR_GIT = /^\.git(?:ignore|keep)$/;

export const instructs = (path: string): boolean => {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  return (
    parts.some((part) => INSTRUCTION_FOLDERS.includes(part)) ||
    INSTRUCTIONS.includes(name) ||
    (name.startsWith('.git') && !HARMLESS_FOR_GIT.test(name))
  );
};

/** The same as names, for who can only go by these. */
export const INSTRUCTING_NAMES: readonly string[] = [
  ...INSTRUCTIONS,
  ...INSTRUCTION_FOLDERS,
  ...'.git .gitattributes .gitmodules'.split(' '),
];

export interface ProtectedFile {
  readonly reason: string;
  readonly isOffered: boolean;
}

/** What runs keep there of the files of a user is theirs: former contents, and what was read with a yes. */
const isKept = (path: string): boolean => {
  const parts = path.split('/');
  const at = parts.findIndex((name) => isStateFolder(name.toLowerCase()));
  return at >= 0 && at < parts.length - 1 && parts[at + 1] !== PUT_ASIDE;
};

/** Why a look at a file, or a change of it, asks; `null`: it does not. */
export function protectedFile(does: PathDoes, path: string): ProtectedFile | null {
  if (isSecretFile(path)) return { reason: `${path} may hold keys.`, isOffered: false };
  if (does === 'read' && isKept(path))
    return { reason: `${path} is kept by a run, and may hold keys.`, isOffered: false };
  return does === 'edit' && instructs(path)
    ? { reason: `${path} tells programs or agents what to do.`, isOffered: true }
    : null;
}
