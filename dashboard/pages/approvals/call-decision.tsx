import { type ReactNode, useState } from 'react'
import type { Approval } from '../../api/approvals.ts'
import { failureMessage } from '../../api/explain.ts'
import { Button } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextArea, TextField } from '../../components/forms/field.tsx'
import { InlineSelect } from '../../components/forms/inline-select.tsx'
import { KEY_HINT, Keys } from '../../components/kbd.tsx'
import { costIn, parseInput } from './approval-labels.ts'
import { type DecisionInput, useDecide } from './use-decide.ts'

interface DecisionProps {
  approval: Approval
  onDecided: () => void
  isCurrent: boolean
  children: ReactNode
}

type Scope = NonNullable<DecisionInput['scope']>

/** The decision on a call: its input, which can be edited, a note, and for how long it is allowed. */
export function CallDecision({ approval, onDecided, isCurrent, children }: DecisionProps) {
  const { summary, input, tool, sessionId, agentName, requiresStepUp, canDecide } = approval
  const original = JSON.stringify(input, null, 2)
  const [edited, setEdited] = useState<string>()
  const [note, setNote] = useState<string>()
  const [scope, setScope] = useState<Scope>('once')
  const decide = useDecide(approval, onDecided)
  const parsed = edited === undefined ? undefined : parseInput(edited)
  const cost = costIn(input)
  const send = (decision: 'approve' | 'deny') => {
    if (decide.isPending || (decision === 'approve' && parsed?.problem)) return
    decide.mutate({
      decision,
      note: note?.trim() || undefined,
      ...(decision === 'approve' && { scope, ...(parsed && { input: parsed.value }) }),
    })
  }
  return (
    <>
      <h2 className="wrap-anywhere font-medium">{summary}</h2>
      {children}
      {cost && <p className="text-13">Cost: {cost}</p>}
      {edited === undefined ? (
        <Code tall what="input">
          {original}
        </Code>
      ) : (
        <TextArea
          label={`Input of ${tool}`}
          rows={Math.min(16, Math.max(4, edited.split('\n').length))}
          spellCheck={false}
          className="font-mono sm:text-12!"
          value={edited}
          error={parsed?.problem}
          hint="The call is made with this input instead. A wrong field is named here."
          onChange={(event) => setEdited(event.target.value)}
        />
      )}
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {canDecide && (
        <>
          {note !== undefined && (
            <TextField
              label="Note"
              hint="The agent reads it."
              autoFocus
              limit={1000}
              autoComplete="off"
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
          <div className="flex flex-wrap items-center gap-8">
            <Button look="primary" busy={decide.isPending} data-approve onClick={() => send('approve')}>
              Approve
              {isCurrent && <KeyHint keys="a" />}
            </Button>
            <Button busy={decide.isPending} data-deny onClick={() => send('deny')}>
              Deny
              {isCurrent && <KeyHint keys="d" />}
            </Button>
            <InlineSelect
              label="How long to allow it"
              value={scope}
              options={[
                { value: 'once', label: 'Only this call' },
                ...(sessionId ? [{ value: 'session' as const, label: 'Always in this conversation' }] : []),
                { value: 'agent', label: `Always for ${agentName}` },
              ]}
              onChoose={setScope}
            />
            <Button look="quiet" onClick={() => setEdited(edited === undefined ? original : undefined)}>
              {edited === undefined ? 'Edit input' : 'Discard edits'}
            </Button>
            {note === undefined && (
              <Button look="quiet" onClick={() => setNote('')}>
                Add note
              </Button>
            )}
          </div>
          {requiresStepUp && (
            <p className="text-12 text-neutral-11">Approving asks you to confirm that it is you.</p>
          )}
        </>
      )}
    </>
  )
}

const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden className={`${KEY_HINT} rounded-control bg-neutral-1`}>
    <Keys keys={keys} />
  </span>
)
