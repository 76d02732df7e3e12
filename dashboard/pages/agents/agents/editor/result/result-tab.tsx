import { useState } from 'react'
import {
  findSchemaProblem,
  OUTPUT_LIMITS,
  type OutputSchema,
} from '../../../../../../contract/agents/output-rules.ts'
import { t } from '../../../../../../contract/text.ts'
import { localizeRule } from '../../../../../api/server-rules.ts'
import { Button } from '../../../../../components/button.tsx'
import { TextArea } from '../../../../../components/forms/field.tsx'
import { Switch } from '../../../../../components/forms/switch.tsx'
import { Segments } from '../../../../../components/layout/segments.tsx'
import { toJsonText } from '../../../../../components/results/labels.ts'
import { ResultView } from '../../../../../components/results/result-view.tsx'
import type { FieldsProps } from '../draft.ts'
import { SettingGroup } from '../setting-group.tsx'
import { FieldList } from './field-list.tsx'
import {
  EXAMPLE_SCHEMA,
  exampleOf,
  NEW_FIELD,
  type ResultField,
  toFields,
  toSchema,
} from './result-fields.ts'

interface ResultTabProps extends FieldsProps {
  serverError: string | undefined
}

export function ResultTab({ draft, update, serverError }: ResultTabProps) {
  const { outputSchema: text } = draft
  const isOn = text !== ''
  return (
    <SettingGroup
      title="Result format"
      lead="Other blocks, webhooks and programs can read the agent’s answer if it has fixed fields. Agents that talk to people answer better without."
    >
      <Switch
        label={t`Answer with data`}
        description={t`Every run ends with a result in this format, or fails.`}
        checked={isOn}
        onChange={(checked) => update({ outputSchema: checked ? toText([NEW_FIELD]) : '' })}
      />
      {isOn && (
        <SchemaEditor
          text={text}
          serverError={serverError}
          onChange={(outputSchema) => update({ outputSchema })}
        />
      )}
    </SettingGroup>
  )
}

const toText = (fields: readonly ResultField[]) => toJsonText(toSchema(fields))

type View = 'fields' | 'json'

const VIEWS = [
  { value: 'fields' as const, label: t`Fields` },
  { value: 'json' as const, label: t`JSON Schema` },
]

interface SchemaEditorProps {
  text: string
  serverError: string | undefined
  onChange: (text: string) => void
}

function SchemaEditor({ text, serverError, onChange }: SchemaEditorProps) {
  const { schema, problem } = readSchema(text)
  // Two fields can have the same name while it's typed, which JSON can't say.
  const [typed, setTyped] = useState<ResultField[] | null>(null)
  const isCurrent = typed !== null && toText(typed) === text
  const fields = isCurrent ? typed : schema && toFields(schema)
  const [view, setView] = useState<View>(fields ? 'fields' : 'json')
  const isForm = view === 'fields' && fields !== null
  const isUntouched = fields?.length === 1 && fields[0]!.name === ''
  const setFields = (next: ResultField[]) => {
    setTyped(next)
    onChange(toText(next))
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-8">
        <Segments
          label="Edit as"
          value={isForm ? 'fields' : 'json'}
          options={VIEWS}
          onChoose={(next) => setView(next)}
        />
        {isUntouched && (
          <Button size="small" look="quiet" onClick={() => onChange(toJsonText(EXAMPLE_SCHEMA))}>
            Use an example
          </Button>
        )}
      </div>
      {view === 'fields' && !isForm && (
        <p className="text-13 text-neutral-11">
          This schema uses features that the form can’t show. Edit it as JSON.
        </p>
      )}
      {isForm ? (
        <>
          <FieldList fields={fields} depth={1} onChange={setFields} />
          {problem && !isUntouched && (
            <p role="status" className="wrap-anywhere text-12 text-bad-text">
              {problem}
            </p>
          )}
        </>
      ) : (
        <TextArea
          label="JSON Schema"
          hint={t`Draft 2020-12. An object; every object lists its properties.`}
          isLive
          error={problem ?? serverError}
          limit={OUTPUT_LIMITS.schemaBytes}
          rows={16}
          spellCheck={false}
          className="field-sizing-content max-h-nested-max font-mono text-13"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {isForm && serverError && !problem && (
        <p className="wrap-anywhere text-12 text-bad-text">{serverError}</p>
      )}
      {schema && !problem && (
        <div className="@container flex flex-col gap-8">
          <h3 className="font-medium text-13">Example</h3>
          <ResultView output={exampleOf(schema)} schema={schema} />
        </div>
      )}
    </>
  )
}

type ReadSchema = { schema: OutputSchema; problem: null } | { schema: OutputSchema | null; problem: string }

/** Of the JSON that is typed. The server also checks patterns. */
function readSchema(text: string): ReadSchema {
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
