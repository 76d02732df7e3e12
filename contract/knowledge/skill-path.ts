import { t } from '../text.ts'
import { SKILL_FILE, SKILL_LIMITS } from './skill-options.ts'

/** Null if valid. Follows the strictest file system's rules, since a skill may be unpacked on any. */
export function problemOfPath(path: string): string | null {
  if (path === '' || path.length > SKILL_LIMITS.path) return t`must be 1 to ${SKILL_LIMITS.path} characters`
  if (path.normalize('NFC') !== path || !path.isWellFormed()) return t`must be normalized Unicode`
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(path)) return t`must not contain control characters`
  if (/[\\:*?"<>|]/.test(path)) return t`must not contain any of \\ : * ? " < > |`
  const segments = path.split('/')
  if (segments.length > SKILL_LIMITS.depth) return t`must have at most ${SKILL_LIMITS.depth} folders`
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'must be a relative path without empty parts, . and ..'
  if (segments.some((segment) => /^\s|[\s.]$/.test(segment)))
    return t`must not have parts that start or end with a space, or end with a dot`
  if (segments.some((segment) => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment)))
    return t`must not contain a reserved name such as con or nul`
  if (segments.at(-1)!.toLowerCase() === SKILL_FILE.toLowerCase())
    return t`must not be ${SKILL_FILE}, the instructions file`
  return null
}
