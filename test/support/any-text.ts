import { fc } from './dice.ts';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** As `fc.string({ unit: 'binary' })`, which takes two seconds to begin: any code points but halves of pairs. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc
    .array(fc.nat(0x10ffff - SURROGATES.count), maxLength === undefined ? {} : { maxLength })
    .map((points) =>
      String.fromCodePoint(
        ...points.map((point) => (point < SURROGATES.from ? point : point + SURROGATES.count)),
      ),
    );
