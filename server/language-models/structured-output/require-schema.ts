import { findSchemaProblem, type OutputSchema } from '../../../contract/agents/output-rules.ts'
import { badField } from '../../errors.ts'
import { compilePattern, InvalidPattern } from '../../security/re2-pattern.ts'

/** Also checks patterns, which a browser can't. Throws with the place of the problem. */
export function requireSchema<S extends OutputSchema | null | undefined>(field: string, schema: S): S {
  if (!schema) return schema
  const problem = findSchemaProblem(schema)
  if (problem) throw badField([field, ...problem.path].join('.'), problem.rule)
  checkPatterns(schema, field)
  return schema
}

function checkPatterns(node: unknown, path: string): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, child] of Object.entries(node)) {
    const at = `${path}.${key}`
    if (key === 'pattern' && typeof child === 'string') checkPattern(child, at)
    else if (key !== 'enum') checkPatterns(child, at)
  }
}

function checkPattern(pattern: string, path: string): void {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error
    throw badField(path, error.message)
  }
}
