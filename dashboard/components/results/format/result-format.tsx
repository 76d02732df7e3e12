import { useState } from 'react'
import { OUTPUT_LIMITS } from '../../../../contract/agents/output-rules.ts'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../button.tsx'
import { TextArea } from '../../forms/field.tsx'
import { Switch } from '../../forms/switch.tsx'
import { Segments } from '../../layout/segments.tsx'
import { toJsonText } from '../labels.ts'
import { ResultView } from '../result-view.tsx'
import { FieldList } from './field-list.tsx'
import {
  EXAMPLE_SCHEMA,
  exampleOf,
  NEW_FIELD,
  type ResultField,
  readSchema,
  toFields,
  toSchema,
} from './result-fields.ts'

interface ResultFormatProps {
  /** A schema as JSON, also while it isn't valid. Empty for answers in text. */
  text: string
  description: string
  serverError?: string | undefined
  onChange: (text: string) => void
}

/** Edits an `outputSchema`, field by field or as JSON. */
export function ResultFormat({ text, description, serverError, onChange }: ResultFormatProps) {
  const isOn = text !== ''
  return (
    <>
      <Switch
        label={t`Answer with data`}
        description={description}
        checked={isOn}
        onChange={(checked) => onChange(checked ? toText([NEW_FIELD]) : '')}
      />
      {isOn && <SchemaEditor text={text} serverError={serverError} onChange={onChange} />}
    </>
  )
}

const toText = (fields: readonly ResultField[]) => toJsonText(toSchema(fields))

type View = 'fields' | 'json'

const VIEWS = [
  { value: 'fields' as const, label: t`Fields` },
  { value: 'json' as const, label: t`JSON Schema` },
]

function SchemaEditor({ text, serverError, onChange }: Omit<ResultFormatProps, 'description'>) {
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
