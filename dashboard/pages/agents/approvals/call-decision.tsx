import { type ReactNode, useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Approval } from '../../../api/approvals.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { HIGHER_ROLE } from '../../../components/conversation/transcript/approval-card.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { costIn, parseInput } from './approval-labels.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { KeyHint } from './key-hint.tsx'
import { type DecisionInput, useDecide } from './use-decide.ts'

interface DecisionProps {
  approval: Approval
  onDecided: () => void
  isCurrent: boolean
  children: ReactNode
}

type Scope = NonNullable<DecisionInput['scope']>

/** The decision on a call: its input, which can be edited, a note, and the scope of the approval. */
export function CallDecision({ approval, onDecided, isCurrent, children }: DecisionProps) {
  const { summary, input, tool, sessionId, agentName, requiresStepUp, canDecide, canApprove, canEditInput } =
    approval
  const original = JSON.stringify(input, null, 2)
  const [edited, setEdited] = useState<string>()
  const [scope, setScope] = useState<Scope>('once')
  const decide = useDecide(approval, onDecided)
  const parsed = edited === undefined ? undefined : parseInput(edited)
  const cost = costIn(input)
  const send = (decision: 'approve' | 'deny', note: string | undefined) => {
    if (decision === 'approve' && parsed?.problem) return
    decide.mutate({
      decision,
      note,
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
          label={textWithNames`Input of ${tool}`}
          rows={Math.min(16, Math.max(4, edited.split('\n').length))}
          spellCheck={false}
          className="font-mono sm:text-12!"
          value={edited}
          error={parsed?.problem}
          hint="The call uses this input instead. Errors name the invalid field."
          autoFocus
          onChange={(event) => setEdited(event.target.value)}
        />
      )}
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {canDecide && (
        <>
          <DecisionButtons
            noteHint="The agent reads the note."
            canApprove={canApprove}
            isBusy={decide.isPending}
            isCurrent={isCurrent}
            onDecide={send}
          >
            {canApprove && (
              <InlineSelect
                label="Scope of the approval"
                narrow
                value={scope}
                options={[
                  { value: 'once', label: 'Only this call' },
                  ...(sessionId ? [{ value: 'session' as const, label: 'Always in this conversation' }] : []),
                  { value: 'agent', label: `Always for ${agentName}` },
                ]}
                onChoose={setScope}
              />
            )}
            {canEditInput && (
              <Button
                look="quiet"
                data-edit
                onClick={() => setEdited(edited === undefined ? original : undefined)}
              >
                {edited === undefined ? 'Edit input' : 'Discard edits'}
                {isCurrent && edited === undefined && <KeyHint keys="e" />}
              </Button>
            )}
          </DecisionButtons>
          {!canApprove && <p className="text-12 text-neutral-11">{HIGHER_ROLE}</p>}
          {requiresStepUp && canApprove && (
            <p className="text-12 text-neutral-11">You have to confirm your identity to approve.</p>
          )}
        </>
      )}
    </>
  )
}
