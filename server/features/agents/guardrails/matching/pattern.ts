import { RE2JS, RE2JSException } from 're2js'
import type { FindMatch } from './match.ts'

/** Limits the time per character, which grows with the size of the compiled pattern. */
const INSTRUCTIONS_MAX = 2000

/** A pattern that a person entered, matched in linear time. Throws `InvalidPattern`. */
export function findPattern(pattern: string, { ignoreCase }: { ignoreCase: boolean }): FindMatch {
  const compiled = compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  if (compiled.programSize() > INSTRUCTIONS_MAX)
    throw new InvalidPattern('is too large: use fewer repetitions')
  if (compiled.matcher('').find()) throw new InvalidPattern('must not match an empty text')
  return (text, from) => {
    const matcher = compiled.matcher(text)
    let at = from
    while (at <= text.length && matcher.find(at)) {
      const [start, end] = [matcher.start(), matcher.end()]
      if (end > start) return { start, end, label: 'pattern' }
      at = end + 1
    }
    return null
  }
}

export class InvalidPattern extends Error {}

function compile(pattern: string, flags: number) {
  try {
    return RE2JS.compile(pattern, flags)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new InvalidPattern(
      `is not a valid RE2 pattern: ${error.message.replace('error parsing regexp: ', '')}`,
    )
  }
}
