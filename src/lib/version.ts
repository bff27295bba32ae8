declare const TARDIGRADE_VERSION: string;

/** The package's version, inserted by the build and the test runner. */
export const VERSION: string =
  typeof TARDIGRADE_VERSION === 'string' ? TARDIGRADE_VERSION : '0.0.0-unbuilt';
