/** A file of another language is imported as its text, by the bundler and in tests. */
declare module '*.py' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: it is how bundlers hand on a text.
  export default text;
}
