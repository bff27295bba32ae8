// All pieces of the built program in one text of CommonJS. It gives a function that is given `require`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param folder of the pieces, as the build has written them */
export function oneProgram(folder) {
  const pieces = readdirSync(folder)
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => [`./${name}`, readFileSync(join(folder, name), 'utf8')]);
  const table = pieces.map(
    ([id, text]) => `${JSON.stringify(id)}:function(exports,require,module){${text}\n}`,
  );
  return `(function(requireOther){"use strict";const pieces={${table.join(',\n')}},loaded={};
const find=(id)=>{if(!Object.hasOwn(pieces,id))return requireOther(id);
const known=loaded[id];if(known)return known.exports;
const module=loaded[id]={exports:{}};pieces[id](module.exports,find,module);return module.exports};
return find("./start.cjs")})`;
}
