/** Pure: which files are JavaScript's (or TypeScript's), and which of them are tests. */

export const owns = (path: string): boolean => /\.[cm]?[jt]sx?$/i.test(path);

/** Files that node itself runs. */
export const isRunnable = (path: string): boolean => /\.[cm]?js$/.test(path);

/** True for a file that only declares the types of code elsewhere. */
export const onlyDeclares = (path: string): boolean => /\.d\.[cm]?ts$/.test(path);

/** Names that the common runners require: `a.test.mjs`, `a_test.js`, `a-test.js`, `a.spec.ts`. */
export const isTest = (path: string): boolean => /(?:[._-]test|\.spec)\.[cm]?[jt]sx?$/.test(path);

/** True for a name that some runners pick up, and that a program may have, too. */
export const resemblesTest = (path: string): boolean =>
  /(?:^|\/)test(?:-[^/]+)?\.[cm]?[jt]sx?$/.test(path);

const SETTINGS =
  /(?:^|\/)(?:package\.json|\.mocharc\.\w+|(?:vite|vitest|jest|ava|karma|playwright|cypress)\.config\.\w+|(?:vitest|jest)\.(?:setup|workspace)\.\w+|setupTests\.\w+|bunfig\.toml)$/;

export const configuresTests = (path: string): boolean => SETTINGS.test(path);

export const isSettingsCode = (path: string): boolean =>
  /(?:^|\/)(?:\.[\w-]+rc|[\w.-]+\.config)\.[cm]?[jt]s$/.test(path);

/** What `node --test` picks up by itself. */
export const isNodeTest = (path: string): boolean => /[._-]test\.[cm]?js$/.test(path);

export const isManifest = (path: string): boolean =>
  /(?:^|\/)(?:package|tsconfig)\.json$/.test(path);

/** Products whose names end like a JavaScript file. */
export const PRODUCTS: readonly string[] =
  'node.js next.js nuxt.js vue.js react.js angular.js ember.js express.js three.js d3.js chart.js p5.js alpine.js backbone.js require.js moment.js socket.io'.split(
    ' ',
  );
