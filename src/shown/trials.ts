/** Describes a trial in words for people. Pure. */
import type { ScratchRun } from '../schema/evidence.ts';

const GIVEN: { readonly [about: string]: string } = {
  old: 'the tests that were there, before the run',
  now: 'all tests, as they are now',
};

/** How the copy differs from the workspace. */
export function trialWords({
  what,
  about,
  own,
}: Pick<ScratchRun, 'what' | 'about' | 'own'>): string {
  const words: { readonly [what: string]: string } = {
    unchanged: 'as it is',
    rehearsal: 'before it may change what is given',
    before: 'as it was before the run',
    seen: 'with each test that passes named',
    old_code: 'with the code as it was before the run',
    old_tests: 'with the tests as they were before the run',
    old_tests_emptied: `with ${about} emptied and the tests as they were before the run`,
    given_tests: GIVEN[about] ?? 'the tests that were there',
    emptied: `with ${about} emptied`,
    constant: `with ${about} giving back only constants`,
    no_value: `with ${about} ending where it gives back a value`,
    altered: about,
    altered_old_tests: `${about} and the tests as they were before the run`,
    respaced: 'with more spaces in the new code',
    red: `${about}, which was red`,
    second: `with ${about} as written a second time`,
    plain_try: about === '' ? 'with the files of the answer' : `with ${about} of the answer`,
    candidate: `with a candidate for ${about}`,
    call: `a call as in the goal, ${about}`,
    example: `${about}, as it was before the run`,
    blank: `with nothing in ${about}`,
    broken: `with what is no code in ${about}`,
    failing: `with ${about} only failing`,
    without: `without ${about}`,
    first_proof: `with the first proof, ${about}`,
    built: `${about}, without what it writes, as it was before the run`,
    built_now: `${about}, without what it writes`,
    made: `${about}, for what the proof needs`,
    put_back: `with ${about} as before the run`,
  };
  return `${words[what] ?? what}${own ? ', without the tests that were there' : ''}`;
}
