import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { NumberOptions } from '../numbers/number-options.tsx'
import { asE164 } from '../phone.tsx'
import { type Attempt, numbersQuery, type TryResult } from '../telephony-queries.ts'
import { ACTIONS } from './describe-rule.ts'

interface TryPanelProps {
  tryResult: { data: TryResult | undefined; error: unknown; isFetching: boolean }
  hasRules: boolean
  onTry: (attempt: Attempt) => void
  onClose: () => void
}

const CHANNELS = [
  { value: 'voice', label: t`A call` },
  { value: 'sms', label: t`A text message` },
] as const

export function TryPanel({ tryResult, hasRules, onTry, onClose }: TryPanelProps) {
  const [draft, setDraft] = useState({ from: '', to: '', at: '', text: '' })
  const [channel, setChannel] = useState<'voice' | 'sms'>('voice')
  const numbers = useQuery(numbersQuery).data ?? []
  const change = (next: Partial<typeof draft>) => setDraft({ ...draft, ...next })
  const { data, error, isFetching } = tryResult
  const submit = () =>
    onTry({
      from: asE164(draft.from),
      to: draft.to || (numbers[0]?.e164 ?? ''),
      at: draft.at ? new Date(draft.at).toISOString() : undefined,
      channel,
      text: channel === 'sms' ? draft.text : undefined,
    })
  const errorOf = (field: string) =>
    error instanceof ApiFailure ? error.fieldMessage(`query.${field}`) : undefined
  const hasFieldError = ['from', 'to', 'at', 'text'].some(errorOf)
  return (
    <Panel title="Try a call" onClose={onClose}>
      <PanelSection>
        <form
          className="flex flex-col gap-16"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <Segments label="Channel" value={channel} options={CHANNELS} onChoose={setChannel} />
          <TextField
            label="From"
            type="tel"
            required
            placeholder="+4930123456"
            autoComplete="off"
            value={draft.from}
            error={errorOf('from')}
            onChange={(event) => change({ from: event.target.value })}
          />
          <Select
            label="To"
            value={draft.to || numbers[0]?.e164}
            hint={numbers.length === 0 ? t`Import a number first.` : undefined}
            error={errorOf('to')}
            onChange={(event) => change({ to: event.target.value })}
          >
            <NumberOptions numbers={numbers} by="e164" />
          </Select>
          <TextField
            label="Time (optional)"
            type="datetime-local"
            hint="In your time zone. Defaults to now."
            value={draft.at}
            error={errorOf('at')}
            onChange={(event) => change({ at: event.target.value })}
          />
          {channel === 'sms' && (
            <TextField
              label="Text"
              autoComplete="off"
              value={draft.text}
              error={errorOf('text')}
              onChange={(event) => change({ text: event.target.value })}
            />
          )}
          {error !== null && error !== undefined && !hasFieldError && (
            <p role="alert" className="text-13 text-bad-text">
              {shortMessage(error)}
            </p>
          )}
          <Button
            type="submit"
            look="primary"
            busy={isFetching}
            disabled={numbers.length === 0}
            className="self-start"
          >
            Try
          </Button>
        </form>
      </PanelSection>
      {data && !error && (
        <PanelSection title="Result">
          <div role="status" className="flex flex-col gap-8 text-13">
            <Status meaning={data.rule ? 'good' : 'warning'}>
              {data.rule ? t`A rule answers` : t`No rule answers`}
            </Status>
            {data.rule && (
              <p className="font-medium">
                <Name>{data.rule.name}</Name>
              </p>
            )}
            <p>{data.because}</p>
            <p className="text-neutral-11">
              {data.usesFallback ? t`Its fallback applies: ` : ''}
              {ACTIONS[data.action.type]}
              {data.action.message && `: “${data.action.message}”`}
            </p>
            <ol aria-label="Rules tried" className="flex flex-col gap-8 md:hidden">
              {data.checked.map(({ ruleId, name, answers, explanation }) => (
                <li key={ruleId} className={answers ? 'font-medium' : 'text-neutral-11'}>
                  <Name>{name}</Name>: {explanation}
                </li>
              ))}
            </ol>
            {hasRules && (
              <p className="text-12 text-neutral-11 max-md:hidden">
                The list shows why each rule does or doesn’t answer.
              </p>
            )}
          </div>
        </PanelSection>
      )}
    </Panel>
  )
}
