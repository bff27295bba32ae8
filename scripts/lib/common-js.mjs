// The pieces of the program as CommonJS, for which every Node can keep compiled code. esbuild cuts
// only ES modules into pieces, so each piece is turned into CommonJS afterwards.
import { transformSync } from 'esbuild';

const OTHER_PIECE = /((?:from|import)\s*\(?\s*)"(\.\/[\w-]+)\.js"/g;
/** What is loaded later; an address that is only known then stays an import. */
const LATER = /\bimport\(("(?:\.\/[\w-]+\.cjs|node:[\w/]+)")\)/g;

/** A name that is only passed on: who asks for it has the module evaluated where it stands, and nobody before. */
const PASSED_ON = /\b(export_\w+)\s*=\s*(import_\w+)\s*\.\s*(\w+)(?=\s*[,;])/g;
const askedLate = (text) =>
  [...text.matchAll(PASSED_ON)].reduce(
    (all, [whole, name, from, key]) =>
      all.replace(whole, name).replace(new RegExp(`=>\\s*${name}\\b`), `=>${from}.${key}`),
    text,
  );

/** `text` of an ES module as esbuild writes it. Throws where that cannot be one file of CommonJS. */
export function asCommonJs(path, text) {
  if (text.includes('import.meta')) throw new Error(`build: ${path} asks for its own address`);
  const { code } = transformSync(text.replaceAll(OTHER_PIECE, '$1"$2.cjs"'), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const later = askedLate(code).replaceAll(LATER, 'Promise.resolve().then(()=>require($1))');
  if (/"\.\/[\w-]+\.js"/.test(later)) throw new Error(`build: ${path} loads a piece unseen`);
  return `"use strict";${later}`;
}
