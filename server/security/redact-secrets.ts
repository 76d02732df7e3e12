/** Bounded repetitions, and no match restarts inside a failed one, so no text takes long. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8000}-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  /\b(?:atrium_(?:live|test)_|whsec_|github_pat_|gh[pousr]_|xox[abeoprs]-|AIza)[\w+/=-]{16,400}/g,
  /\b(?:sk|rk|gsk|xai)[-_][\w-]{16,400}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /(?<![\w-])eyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{8,1000}/g,
  /(?<=\b(?:Bearer|Basic)\s{1,4})[\w.~+/=-]{16,2000}/gi,
  // User and password in a URL.
  /(?<=:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/g,
  // A value after a name such as password. Without a digit, it's more likely prose.
  /(?<=(?:password|passwd|secret|api[_-]?key|access[_-]?token)["']?\s{0,4}[:=]\s{0,4}["']?)(?=[^\s"',;]{0,64}\d)[^\s"',;]{8,400}/gi,
]

const REDACTED = '[redacted]'

export function redactSecrets<T>(value: T): T
export function redactSecrets(value: unknown): unknown {
  if (typeof value === 'string')
    return SECRETS.reduce((text, secret) => text.replace(secret, REDACTED), value)
  if (Array.isArray(value)) return value.map((each) => redactSecrets(each))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactSecrets(each)]))
}
