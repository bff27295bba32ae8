/**
 * Whether a text names the language Go. Its name is a verb and a board game too, so it counts only
 * where neither can be meant. Pure.
 */

const NAMED: readonly RegExp[] = [
  /\b(?:golang|gofmt|goroutines?|go\.(?:mod|sum|work))\b/i,
  // The ending of a file: `history.go(-1)` is a call, `site.go.id` a host.
  /[\w*\s"'`(]\.go\b(?!\(|\.\w|-)/,
  /\bgo (?:run|build|test|vet) (?:\.|-\w)/,
  // "go file by file" is the verb, "on the go app" neither.
  /(?<!-|\bon the )\bgo (?:programs?|modules?|packages?|librar(?:y|ies)|structs?|functions?|servers?|services?|cli|apps?|applications?|binar(?:y|ies)|files|tests|sources?|projects?|scripts?|lang)\b(?![-\w]| by\b)/i,
  // Words that can follow the verb: within a sentence the capital tells.
  /\w,? Go (?:code|file|test|tool|interface|language|implementation|version)\b/,
  /\bin go(?= *(?:$|[.,;:!?)\n])| (?:that|which|with|and|using)\b)/i,
  /\b(?:[Ii]n|[Uu]sing|[Ww]ith) Go\b(?!-)/,
  /\b(?:[Pp]ort|[Tt]ranslat|[Cc]onvert|[Rr]ewrit|[Tt]ranspil|[Mm]igrat)\w*\b[^!?\n]{0,80} (?:in)?to Go\b/,
];

export const isNamedIn = (text: string): boolean => NAMED.some((pattern) => pattern.test(text));
