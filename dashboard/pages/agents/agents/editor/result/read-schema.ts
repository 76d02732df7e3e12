import { findSchemaProblem, type OutputSchema } from '../../../../../../contract/agents/output-rules.ts'
import { t } from '../../../../../../contract/text.ts'
import { localizeRule } from '../../../../../api/server-rules.ts'

type ReadSchema = { schema: OutputSchema; problem: null } | { schema: OutputSchema | null; problem: string }

/** Of the JSON that is typed. The server also checks patterns. */
export function readSchema(text: string): ReadSchema {
  let schema: OutputSchema
  try {
    schema = JSON.parse(text)
  } catch (error) {
    return { schema: null, problem: t`Not valid JSON: ${(error as Error).message}` }
  }
  const problem = findSchemaProblem(schema)
  if (!problem) return { schema, problem: null }
  const rule = localizeRule(problem.rule) ?? problem.rule
  return { schema, problem: problem.path.length > 0 ? `${problem.path.join('.')}: ${rule}` : rule }
}
