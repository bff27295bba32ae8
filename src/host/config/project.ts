/**
 * What a project's file may say. It comes with the folder, so it may narrow and suggest, but must never redirect a
 * request or a key, or raise a permission or a limit. It may set only what is named here.
 */
import { OPTIONS, pathOf, rowsOf } from '../../options/table.ts';
import { type ConfigDocument, configFault } from './document.ts';
import type { ConfigForm } from './form.ts';

const MAY_SET: ReadonlySet<string> = new Set([
  ...(['$schema', 'permissions'] satisfies (keyof ConfigForm)[]),
  ...rowsOf(OPTIONS).flatMap(([, { setting = '', project }]) =>
    project === undefined ? [] : pathOf(setting).slice(0, 1),
  ),
]);

/** `permissions.allow` is excluded, too. */
export type ProjectForm = Omit<ConfigForm, 'providers' | 'profiles' | 'mcpServers'>;

/** Throws E_USAGE with the line. @param userFile the file in which it may be set */
export function checkProject(
  document: ConfigDocument,
  form: ConfigForm,
  userFile: string,
): ProjectForm {
  const refuse = (path: readonly string[]) =>
    configFault(
      document.file,
      document.lineOf(path),
      `A project may not set "${path.join('.')}": what comes with a folder moves no request, no key and no permission.`,
      `Take it out, or set it for yourself in ${userFile}.`,
    );
  const key = Object.keys(form).find((name) => !MAY_SET.has(name));
  if (key !== undefined) throw refuse([key]);
  if (form.permissions?.allow !== undefined) throw refuse(['permissions', 'allow']);
  return form;
}
