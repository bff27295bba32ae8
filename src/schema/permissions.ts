/** Rules for what may be done, as settings files hold them: words that only the policy reads. */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** Whose they are: a project's may only narrow, so it allows nothing. */
export interface ConfiguredPermissions {
  readonly user: PermissionRules;
  readonly project: Omit<PermissionRules, 'allow'>;
}

export const NO_PERMISSIONS: ConfiguredPermissions = {
  user: { allow: [], ask: [], deny: [] },
  project: { ask: [], deny: [] },
};
