// What every program that embeds us loads stands in one file: to find, open and link fourteen takes a tenth
// of a start. Pieces that are imported later ask it for what they share.
import { basename } from 'node:path';
import { build } from 'esbuild';

const NEEDED = /\b(?:from|import)"(\.[\w./-]+\.js)"/g;
const SHARED = /\bimport\{([^}]*)\}from"(\.[\w./-]+\.js)"/g;
const LOADED = /\bimport"(\.[\w./-]+\.js)";/g;
const WHOLE = 'library.js';

/**
 * @param pieces texts by path, `index.js`, its second door and `chunks/…`, as esbuild splits them
 * @param settings how they were bundled
 * @returns the same with all that `index.js` needs at once in `library.js`
 */
export async function inOneFile(pieces, settings) {
  const byName = new Map([...pieces].map(([path, text]) => [basename(path), text]));
  const inside = new Set();
  const take = (name) => {
    if (inside.has(name)) return;
    inside.add(name);
    for (const [, path] of byName.get(name).matchAll(NEEDED)) take(basename(path));
  };
  take('index.js');
  const shared = new Map();
  // What is loaded only to have run has run, once `library.js` is there.
  const isWithin = (path) => inside.has(basename(path));
  const asking = ([path, text]) => [
    path,
    text
      .replaceAll(LOADED, (all, from) => (isWithin(from) ? '' : all))
      .replaceAll(SHARED, (all, names, from) => {
        const piece = basename(from);
        if (!inside.has(piece)) return all;
        const wanted = names.split(',').map((name) => {
          const [own, here = own] = name.trim().split(/\s+as\s+/);
          // Two pieces may each call something by the same name.
          const told = `${own}$${[...inside].indexOf(piece)}`;
          shared.set(told, { own, piece });
          return `${told} as ${here}`;
        });
        return `import{${wanted.join(',')}}from"${path.includes('/') ? '..' : '.'}/${WHOLE}"`;
      }),
  ];
  const later = [...pieces].filter(([path]) => !inside.has(basename(path))).map(asking);
  const names = [...shared].map(
    ([told, { own, piece }]) => `export { ${own} as ${told} } from './${piece}';`,
  );
  const { outputFiles, metafile } = await build({
    ...settings,
    ...{ splitting: false, metafile: true, write: false },
    stdin: { contents: ["export * from './index.js';", ...names].join('\n'), resolveDir: '.' },
    plugins: [fromPieces(byName, inside)],
  });
  const [{ exports }] = Object.values(metafile.outputs);
  const told = exports.filter((name) => !shared.has(name));
  return new Map([
    ['index.js', `export{${told.join(',')}}from"./${WHOLE}";\n`],
    [WHOLE, outputFiles[0].text],
    ...later,
  ]);
}

const fromPieces = (byName, inside) => ({
  name: 'pieces',
  setup(api) {
    api.onResolve({ filter: /^\./ }, ({ path }) => {
      const name = basename(path);
      if (inside.has(name)) return { path: name, namespace: 'pieces' };
      return { path: byName.has(name) ? `./chunks/${name}` : path, external: true };
    });
    api.onLoad({ filter: /.*/, namespace: 'pieces' }, ({ path }) => ({
      contents: byName.get(path),
      resolveDir: '.',
    }));
  },
});
