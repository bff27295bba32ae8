/** Files that people keep keys and passwords in, by their names. Pure. */

const SECRET: readonly RegExp[] = [
  // Not the samples that are there to be read.
  /^\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w.-]+)?$/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|htpasswd)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^(?:credentials?|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|env))?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)$/,
];

export const isSecretFile = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return SECRET.some((pattern) => pattern.test(name));
};
