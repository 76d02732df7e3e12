import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { type Form, formQuery, refreshForms } from '../../../api/for-each.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { FIELD_LABELS } from '../../../components/forms/field-labels.ts'
import { Select } from '../../../components/forms/select.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { Markdown } from '../../../components/markdown/markdown.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'

const route = getRouteApi('/app/forms/$formId')

/** A workflow waits for its answer. */
export function FormPage() {
  const { formId } = route.useParams()
  const { data, error, isPending, refetch } = useQuery(formQuery(formId))
  return (
    <Page title={data?.title || t`Form`} breadcrumb={<Breadcrumb to="/forms">Forms</Breadcrumb>}>
      {isPending && <SkeletonRows rows={3} />}
      {error && !data && (
        <RecordFailure
          error={error}
          onRetry={() => refetch()}
          title="Form not found"
          to="/forms"
          action="All forms"
        />
      )}
      {data && (
        <div className="flex max-w-column flex-col gap-16 px-16 py-16 md:px-24">
          <p className="text-13 text-neutral-11">
            <Link to="/projects/$ref" params={{ ref: data.projectId }} className="hover:underline">
              <Name>{data.projectName}</Name>
            </Link>
            {' · '}
            <Link to="/runs/$runId" params={{ runId: data.runId }} className="hover:underline">
              Open run
            </Link>
          </p>
          {data.content && <Markdown text={data.content} />}
          {data.canAnswer ? <AnswerForm form={data} /> : <Answered form={data} />}
        </div>
      )}
    </Page>
  )
}

type Values = Record<string, string>

function AnswerForm({ form }: { form: Form }) {
  const [values, setValues] = useState<Values>({})
  const send = useMutation({
    mutationFn: () => api.forms.answer({ id: form.id, answer: answerOf(form, values) }),
    onSuccess: async () => {
      await refreshForms()
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

type Field = Form['fields'][number]

interface InputProps {
  field: Field
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

function Answered({ form }: { form: Form }) {
  const { state, answer, answeredBy, answeredAt, fields } = form
  return (
    <>
      <p className="text-13 text-neutral-11">
        {state === 'open' && t`Other members were asked to answer this form.`}
        {state === 'closed' && t`This form is closed: nobody answered it in time, or its run ended.`}
        {state === 'answered' && (
          <>
            {answeredBy && <Name>{answeredBy.name}</Name>}
            {' · '}
            {answeredAt && <Time at={answeredAt} />}
          </>
        )}
      </p>
      <dl className="flex flex-col gap-12 text-13">
        {fields.map(({ key, label, type }) => (
          <div key={key}>
            <dt className="font-medium">{label}</dt>
            <dd className="whitespace-pre-wrap break-words text-neutral-11">
              {answer ? shownAnswer(answer[key]) : FIELD_LABELS[type]}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const shownAnswer = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : value === true
      ? t`Yes`
      : value === false
        ? t`No`
        : String(value as string | number)
