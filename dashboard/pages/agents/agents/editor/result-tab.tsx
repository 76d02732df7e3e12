import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { localizeRule } from '../../../../api/server-rules.ts'
import { ResultFormat } from '../../../../components/results/format/result-format.tsx'
import type { FieldsProps } from './draft.ts'
import { SettingGroup } from './setting-group.tsx'

interface ResultTabProps extends FieldsProps {
  serverError: string | undefined
}

export const ResultTab = ({ draft, update, serverError }: ResultTabProps) => (
  <SettingGroup
    title="Result format"
    lead="Other blocks, webhooks and programs can read the agent’s answer if it has fixed fields. Agents that talk to people answer better without."
  >
    <ResultFormat
      text={draft.outputSchema}
      description={t`Every run ends with a result in this format, or fails.`}
      serverError={serverError}
      onChange={(outputSchema) => update({ outputSchema })}
    />
  </SettingGroup>
)

const FIELD = 'body.outputSchema'

/** With the place inside the schema. */
export function schemaError(error: unknown): string | undefined {
  const details = error instanceof ApiFailure && Array.isArray(error.details) ? error.details : []
  const problem = details.find(({ path }) => path === FIELD || path.startsWith(`${FIELD}.`))
  if (!problem) return undefined
  const rule = localizeRule(problem.message) ?? problem.message
  return problem.path === FIELD ? rule : `${problem.path.slice(FIELD.length + 1)}: ${rule}`
}
