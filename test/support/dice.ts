/** Random cases. Import fast-check from here alone. */
import fc from 'fast-check';

// In CI they are the same each time, so that no change is refused for a case that it did not touch.
if (process.env.CI) fc.configureGlobal({ seed: 20_261_129 });

export { fc };

/** How many cases are thrown at a property: few in every test run, `npm run crash` throws the many. */
export const dice = (few: number, many: number): number => (process.env.EVERY_KILL ? many : few);
