/** Extensions that no language here owns, and that mean a file when a person writes one. */
const ENDINGS = new Set(
  (
    'txt md markdown rst adoc tex csv tsv jsonl ndjson xml html htm css scss less svg yaml yml toml ini cfg conf env ' +
    'properties lock log sql db sqlite sqlite3 dat proto graphql ipynb vue svelte ' +
    'sh bash zsh ps1 bat cmd rb rs java kt swift c h cc cpp hpp cs php pl lua r ' +
    'pdf docx xlsx png jpg jpeg gif webp ico zip tar gz wav mp3'
  ).split(' '),
);

export const isFileEnding = (ending: string): boolean => ENDINGS.has(ending.toLowerCase());
