import { ApiFailure } from '../../../../../../client/client.ts'
import { localizeRule } from '../../../../../api/server-rules.ts'

const FIELD = 'body.outputSchema'

/** With the place inside the schema. */
export function schemaError(error: unknown): string | undefined {
  const details = error instanceof ApiFailure && Array.isArray(error.details) ? error.details : []
  const problem = details.find(({ path }) => path === FIELD || path.startsWith(`${FIELD}.`))
  if (!problem) return undefined
  const rule = localizeRule(problem.message) ?? problem.message
  return problem.path === FIELD ? rule : `${problem.path.slice(FIELD.length + 1)}: ${rule}`
}
