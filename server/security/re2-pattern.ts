import { RE2JS, RE2JSException } from 're2js'

/** Time per character grows with the compiled pattern. */
const INSTRUCTIONS_MAX = 2000

export class InvalidPattern extends Error {}

/** For patterns from users: takes linear time, unlike `RegExp`. Throws `InvalidPattern`. */
export function compilePattern(pattern: string, flags = 0): RE2JS {
  const compiled = compile(pattern, flags)
  if (compiled.programSize() > INSTRUCTIONS_MAX)
    throw new InvalidPattern('is too large: use fewer repetitions')
  return compiled
}

function compile(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new InvalidPattern(
      `is not a valid RE2 pattern: ${error.message.replace('error parsing regexp: ', '')}`,
    )
  }
}
