import type { z } from 'zod'
import { ApiError } from '../errors.ts'

type Part = 'query' | 'body'

interface Problem {
  path: string
  message: string
}

/** Collects the invalid fields of a call, so that one error names all of them. */
export function createProblems() {
  const problems: Problem[] = []
  return {
    parse(schema: z.ZodType, part: Part, value: unknown): unknown {
      const parsed = schema.safeParse(value, { error: explain })
      if (parsed.success) return parsed.data
      for (const issue of parsed.error.issues) problems.push(...problemsOf(issue, part))
      return undefined
    },
    /** Merges the fields of the body into `input`. A field that the query also has must have the same value. */
    merge(input: Record<string, unknown>, body: unknown): void {
      for (const [name, value] of Object.entries(body ?? {})) {
        if (input[name] !== undefined && value !== undefined && input[name] !== value)
          problems.push({ path: `query.${name}`, message: `must be the same as body.${name}` })
        if (value !== undefined || !(name in input)) input[name] = value
      }
    },
    throwIfAny(): void {
      const [first] = problems
      if (first) throw new ApiError('BAD_REQUEST', `${first.path} ${first.message}`, { details: problems })
    },
  }
}

function problemsOf(issue: z.core.$ZodIssue, part: Part): Problem[] {
  const path = [part, ...issue.path].join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({ path: `${path}.${key}`, message: 'is not a known field' }))
}

/** Messages for issues to which the contract gives no message of its own. */
const explain: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${withArticle(issue.expected)}`
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'must be a UUID'
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'invalid_union' && Array.isArray(issue.options))
    return `must be one of ${issue.options.join(', ')}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  return undefined
}

const withArticle = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
