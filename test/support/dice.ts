/** How many cases are thrown at a property: few in every test run, `npm run crash` throws the many. */
export const dice = (few: number, many: number): number => (process.env.EVERY_KILL ? many : few);
