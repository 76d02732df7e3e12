import type { OutputSchema } from '../../../contract/agents/output-rules.ts'
import { t } from '../../../contract/text.ts'
import type { Form } from '../../api/for-each.ts'
import { Name } from '../name.tsx'
import { isRecord } from '../results/labels.ts'
import { ResultView } from '../results/result-view.tsx'
import { Time } from '../time.tsx'

interface AnswerViewProps {
  /** The form's title or its block's name. */
  of: string
  answer: Record<string, unknown>
  /** As they were when the form was asked. */
  fields: unknown
  /** Undefined where only the answer is known. */
  by?: Pick<Form, 'answeredBy' | 'answeredAt'> | undefined
  hasActions?: boolean
}

/** A form's answer with the fields' labels, and who gave it. */
export const AnswerView = ({ of, answer, fields, by, hasActions }: AnswerViewProps) => (
  <div className="flex min-w-0 flex-col gap-8">
    {by?.answeredBy && (
      <p className="text-12 text-neutral-11">
        <Name>{by.answeredBy.name}</Name>
        {by.answeredAt && (
          <>
            {' · '}
            <Time at={by.answeredAt} />
          </>
        )}
      </p>
    )}
    <ResultView
      title={t`Answer`}
      of={of}
      output={answer}
      schema={answerSchema(fields)}
      hasActions={hasActions}
    />
  </div>
)

/** Imported blocks' fields may be anything. */
function answerSchema(fields: unknown): OutputSchema {
  const known = (Array.isArray(fields) ? fields : []).filter(
    (field): field is Form['fields'][number] => isRecord(field) && typeof field.key === 'string',
  )
  return {
    type: 'object',
    properties: Object.fromEntries(known.map(({ key, label }) => [key, { title: label }])),
    required: known.map(({ key }) => key),
  }
}
