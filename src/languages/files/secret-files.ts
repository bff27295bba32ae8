/** Pure: recognises files with keys and passwords by their names. */

const SECRET: readonly RegExp[] = [
  // Sample files are not secret.
  /^\.env(?!\.(?:example|sample|template|dist)$)/,
  /^(?:\.(?:netrc|npmrc|pypirc|pgpass|htpasswd)|_netrc)$/,
  // Key files have no extension, so `id_map.py` is not one. Exceptions are the usual names and copies of
  // them.
  /^id_[\w-]+$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?\.(?!pub$)/,
  /^(?:credentials?|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|env))?$/,
  /^credentials.*\.json$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)$/,
];

/** The settings of a git repository may contain addresses with passwords. */
const SECRET_FOLDER = /(?:^|\/)\.(?:git|ssh|gnupg|aws|kube|docker)\//;

export const isSecretFile = (path: string): boolean => {
  const plain = path.toLowerCase();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return SECRET_FOLDER.test(plain) || SECRET.some((pattern) => pattern.test(name));
};
