/** Files that people keep keys and passwords in, by their names. Pure. */

const SECRET: readonly RegExp[] = [
  // Not the samples that are there to be read.
  /^\.env(?!\.(?:example|sample|template|dist)$)/,
  /^(?:\.(?:netrc|npmrc|pypirc|pgpass|htpasswd)|_netrc)$/,
  // Keys have no ending, `id_map.py` is none; but for the usual ones and what was put beside them.
  /^id_[\w-]+$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?\.(?!pub$)/,
  /^(?:credentials?|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|env))?$/,
  /^credentials.*\.json$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)$/,
];

/** Addresses with passwords stand in a repository's own settings. */
const SECRET_FOLDER = /(?:^|\/)\.(?:git|ssh|gnupg|aws|kube|docker)\//;

export const isSecretFile = (path: string): boolean => {
  const plain = path.toLowerCase();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return SECRET_FOLDER.test(plain) || SECRET.some((pattern) => pattern.test(name));
};
