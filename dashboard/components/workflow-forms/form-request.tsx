import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { failureMessage, fieldMessage } from '../../api/explain.ts'
import { type Form, refreshForms } from '../../api/for-each.ts'
import { refreshRun } from '../../api/runs.ts'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { TextArea, TextField } from '../forms/field.tsx'
import { Select } from '../forms/select.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { AnswerView } from './answer-view.tsx'

/** A workflow waits for its answer, or did. Without its title. */
export function FormRequest({ form }: { form: Form }) {
  const { title, content, canAnswer, state, answer, fields } = form
  return (
    <div className="@container flex min-w-0 flex-col gap-16">
      {content && <Markdown text={content} />}
      {canAnswer ? (
        <AnswerForm key={form.id} form={form} />
      ) : state === 'answered' && answer ? (
        <AnswerView of={title || t`Form`} answer={answer} fields={fields} by={form} />
      ) : (
        <>
          <p className="text-13 text-neutral-11">
            {state === 'open'
              ? t`Other members were asked to answer this form.`
              : t`This form is closed: nobody answered it in time, or its run ended.`}
          </p>
          <ul className="flex list-disc flex-col gap-4 pl-16 text-13 marker:text-neutral-9">
            {fields.map(({ key, label }) => (
              <li key={key} className="wrap-anywhere">
                {label}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

type Values = Record<string, string>

function AnswerForm({ form }: { form: Form }) {
  const [values, setValues] = useState<Values>({})
  const send = useMutation({
    mutationFn: () => api.forms.answer({ id: form.id, answer: answerOf(form, values) }),
    onSuccess: async () => {
      await Promise.all([refreshForms(), refreshRun(form.runId)])
      toast(t`Answer sent. The workflow continues.`)
    },
  })
  const isFieldError = form.fields.some(({ key }) => fieldMessage(send.error, `answer.${key}`))
  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.isPending) send.mutate()
      }}
    >
      <FormFailure>{isFieldError ? undefined : failureMessage(send.error)}</FormFailure>
      {form.fields.map((field) => (
        <Input
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          error={fieldMessage(send.error, `answer.${field.key}`)}
          onChange={(value) => setValues((previous) => ({ ...previous, [field.key]: value }))}
        />
      ))}
      <div className="flex flex-wrap items-center gap-12">
        <Button look="primary" type="submit" busy={send.isPending}>
          Send answer
        </Button>
        <span className="text-12 text-neutral-11">
          Open until <Time at={form.expiresAt} />
        </span>
      </div>
    </form>
  )
}

interface InputProps {
  field: Form['fields'][number]
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function Input({ field: { label, type, options, required }, value, error, onChange }: InputProps) {
  const shown = required ? label : t`${label} (optional)`
  const text = { label: shown, error, required, value }
  if (type === 'long_text')
    return <TextArea {...text} rows={5} onChange={(event) => onChange(event.target.value)} />
  if (type === 'boolean' || type === 'choice')
    return (
      <Select {...text} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t`Choose`}</option>
        {type === 'choice' ? (
          options?.map((option) => <option key={option}>{option}</option>)
        ) : (
          <>
            <option value="true">Yes</option>
            <option value="false">No</option>
          </>
        )}
      </Select>
    )
  const kind = type === 'text' ? 'text' : type
  return (
    <TextField
      {...text}
      type={kind}
      step={kind === 'number' ? 'any' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function answerOf({ fields }: Form, values: Values) {
  const answer: Record<string, string | number | boolean> = {}
  for (const { key, type } of fields) {
    const value = values[key]?.trim() ?? ''
    if (value === '') continue
    if (type === 'number') answer[key] = Number(value)
    else answer[key] = type === 'boolean' ? value === 'true' : value
  }
  return answer
}
