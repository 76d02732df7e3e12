import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { shortMessage } from '../../../api/explain.ts'
import type { GuardrailRule, GuardrailTrial } from '../../../api/guardrails.ts'
import { skillApi } from '../../../api/skills.ts'
import { TextArea } from '../../../components/forms/field.tsx'

const EXAMPLE = 'Write to ada@example.com or call +44 20 7946 0958 about card 4111 1111 1111 1111.'

/** Shows the effect of the rule in the form on a text, while both change. */
export function TryOut({ rule, isComplete }: { rule: GuardrailRule; isComplete: boolean }) {
  const [typed, setTyped] = useState(EXAMPLE)
  const text = useDeferredValue(typed)
  const canTry = rule.kind !== 'model'
  const trial = useQuery({
    queryKey: ['guardrails', 'try', rule, text],
    queryFn: ({ signal }) => skillApi.guardrails.try({ rule, text }, { signal }),
    enabled: isComplete && canTry && text !== '',
    retry: false,
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label="Try it" className="flex flex-col gap-8 border-neutral-6 border-t pt-16">
      <TextArea
        label="Try a text"
        rows={3}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {canTry && isComplete && trial.error && (
        <p className="text-12 text-neutral-11">{shortMessage(trial.error)}</p>
      )}
      {canTry && isComplete && trial.data && !trial.error && <Result trial={trial.data} text={text} />}
      {!canTry && (
        <p className="text-12 text-neutral-11">
          Rules with a model are tested only in runs and with <code>POST /guardrails/try</code>.
        </p>
      )}
    </section>
  )
}

const RESULTS = { block: 'Blocks this text.', redact: 'The agent gets:', flag: 'Flags this text:' } as const

function Result({ trial, text }: { trial: GuardrailTrial; text: string }) {
  if (!trial.matched)
    return <p className="text-12 text-neutral-11">No match: the text is passed on unchanged.</p>
  return (
    <div role="status" className="flex flex-col gap-4 text-12">
      <p className="text-neutral-11">{RESULTS[trial.action]}</p>
      <p className="whitespace-pre-wrap break-words rounded-control bg-neutral-2 p-8">
        {trial.action === 'redact' ? trial.text : highlight(text, trial.matches)}
      </p>
    </div>
  )
}

function highlight(text: string, matches: GuardrailTrial['matches']): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end, label } of matches) {
    parts.push(text.slice(at, start))
    parts.push(
      <mark key={start} title={label} className="rounded-control bg-warning-wash text-neutral-12">
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  }
  return [...parts, text.slice(at)]
}
