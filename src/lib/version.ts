declare const TARDIGRADE_VERSION: string;

/** The package's version; the build and the test runner put it in. */
export const VERSION: string =
  typeof TARDIGRADE_VERSION === 'string' ? TARDIGRADE_VERSION : '0.0.0-unbuilt';
