import { AUDIT_ACTIONS, type AuditAction } from '../../contract/audit-actions.ts'

const WORDS_MAX = 80
const WORD_LENGTH_MAX = 100

interface Searchable {
  action: AuditAction
  actor: { name: string; email: string } | null
  target: string | null
  details: Record<string, string>
}

/** The search terms of an entry in the audit log: words, and the parts of words such as `api-key.created`. */
export function searchTermsOf({ action, actor, target, details }: Searchable): string[] {
  const values = [action, AUDIT_ACTIONS[action], actor?.name, actor?.email, target, ...Object.values(details)]
  const words = split(values.join(' ')).flatMap((word) => [word, ...word.split(/[@._+-]+/)])
  return [...new Set(words.filter((word) => word !== ''))].slice(0, WORDS_MAX)
}

/** A query for the entries that have a word with each word of `search` as its prefix; null if `search` has no word. */
export function auditQueryOf(search: string): string | null {
  const words = split(search).map((word) => `'${word.replaceAll('\\', '').replaceAll("'", '')}':*`)
  return words.length === 0 ? null : words.join(' & ')
}

/** Upper case first, then lower, because some letters have only one of the two. */
const split = (text: string): string[] =>
  text
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}@._+-]+/u)
    .map((word) => [...word].slice(0, WORD_LENGTH_MAX).join(''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
