/**
 * Pure: build files without what the project depends on. A change of dependencies alone leaves out no test.
 * `null`: the form of the file is not known.
 */
export const withoutDependencies = (path: string): ((text: string) => string) | null =>
  path.endsWith('.toml') ? restOfToml : path.endsWith('pom.xml') ? restOfPom : null;

const TABLE = /^\s*\[+\s*([^\]]*?)\s*\]+\s*(?:#.*)?$/;

/**
 * The file without its tables of dependencies: `[dev-dependencies]`, `[target.x86.dependencies]`,
 * `[dependencies.serde]`.
 */
function restOfToml(text: string): string {
  let isDependency = false;
  const rest = text.split('\n').filter((line) => {
    const [, table] = TABLE.exec(line) ?? [];
    if (table !== undefined)
      isDependency = table.split('.').some((name) => /^(?:\w+-)?dependencies$/.test(name));
    return !isDependency && line.trim() !== '';
  });
  return rest.join('\n');
}

/**
 * The file without the project's own dependencies. Those of a plugin stay: they may choose what runs the
 * tests.
 */
function restOfPom(text: string): string {
  let inPlugins = 0;
  const parts = text.split(/(<\/?plugins>|<dependencies>[\s\S]*?<\/dependencies>)/);
  return parts
    .filter((part) => {
      if (part === '<plugins>') inPlugins += 1;
      // A tag in a comment may close something that was never opened.
      if (part === '</plugins>') inPlugins = Math.max(0, inPlugins - 1);
      return inPlugins > 0 || !part.startsWith('<dependencies>');
    })
    .join('')
    .replace(/\s+/g, ' ');
}
