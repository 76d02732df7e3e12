import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { approvalQuery, refreshApprovals } from '../../../api/approvals.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { useLayer } from '../../../state/layers.ts'
import { Button } from '../../button.tsx'
import { Code } from '../../code.tsx'
import { FormFailure } from '../../failure.tsx'
import { CONTROL } from '../../forms/field.tsx'
import { InlineSelect } from '../../forms/select.tsx'
import { Time } from '../../time.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { ApprovalView, CallView } from '../view/run-view.ts'
import { asText } from './call-row.tsx'

const SCOPES = [
  { value: 'once', label: t`Only this call` },
  { value: 'session', label: t`Always in this conversation` },
  { value: 'agent', label: t`Always for this agent` },
] as const
type Scope = (typeof SCOPES)[number]['value']

export const HIGHER_ROLE = t`This call needs a higher role’s permissions, so you can only deny it.`

export interface CardProps {
  call: CallView
  approval: ApprovalView
}

export function ApprovalCard({ call, approval }: CardProps) {
  const { conversation } = useOpenConversation()
  const { areKnown, canApprove, canEditInput } = useRights(approval.id)
  const [scope, setScope] = useState<Scope>('once')
  const [isEditing, setEditing] = useState(false)
  // Kept when the editor closes, so Escape loses nothing.
  const [draft, setDraft] = useState(() => asText(call.input))
  const editButton = useRef<HTMLButtonElement>(null)
  const input = isEditing ? parseJson(draft) : undefined
  const closeEditor = () => {
    setEditing(false)
    editButton.current?.focus()
  }
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      api.approvals.decide({
        id: approval.id,
        decision,
        ...(decision === 'approve' && { scope, ...(input && { input: input.value }) }),
      }),
    onSettled: () => refreshApprovals(),
  })
  return (
    <section
      aria-label={textWithNames`Approval: ${approval.summary}`}
      className="flex flex-col gap-12 rounded-panel border border-warning-line bg-warning-wash p-12"
    >
      <div>
        <p className="text-12 text-warning-text">
          {toolLabel(call.tool, call.input)} needs approval
          {call.risk !== 'none' && ` · ${call.risk}`}
        </p>
        <p className="wrap-anywhere whitespace-pre-wrap font-medium">{approval.summary}</p>
      </div>
      {isEditing ? (
        <InputEditor draft={draft} isValid={input !== null} onChange={setDraft} onClose={closeEditor} />
      ) : (
        <Code what="input" tall>
          {asText(call.input)}
        </Code>
      )}
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {conversation.canEdit && areKnown && (
        <div className="flex flex-wrap items-center gap-8">
          {canApprove && (
            <Button
              look="primary"
              busy={decide.isPending && decide.variables === 'approve'}
              disabled={input === null}
              onClick={() => decide.mutate('approve')}
            >
              {isEditing ? t`Approve edited call` : t`Approve`}
            </Button>
          )}
          <Button
            busy={decide.isPending && decide.variables === 'deny'}
            onClick={() => decide.mutate('deny')}
          >
            Deny
          </Button>
          {canEditInput && (
            <Button
              ref={editButton}
              look="quiet"
              onClick={() => {
                if (isEditing) setDraft(asText(call.input))
                setEditing(!isEditing)
              }}
            >
              {isEditing ? t`Discard changes` : t`Edit input`}
            </Button>
          )}
          {canApprove ? (
            <InlineSelect label="Approval scope" value={scope} options={SCOPES} onChoose={setScope} />
          ) : (
            <span className="text-12 text-neutral-11">{HIGHER_ROLE}</span>
          )}
          <span className="ml-auto text-12 text-neutral-11">
            Expires <Time at={approval.expiresAt} isExpected />
          </span>
        </div>
      )}
      {!conversation.canEdit && (
        <p className="text-12 text-neutral-11">Only members who can edit the project can decide.</p>
      )}
    </section>
  )
}

interface InputEditorProps {
  draft: string
  isValid: boolean
  onChange: (draft: string) => void
  onClose: () => void
}

function InputEditor({ draft, isValid, onChange, onClose }: InputEditorProps) {
  useLayer(onClose)
  const problemId = useId()
  return (
    <div>
      <textarea
        aria-label="Call input as JSON"
        aria-invalid={!isValid || undefined}
        aria-describedby={isValid ? undefined : problemId}
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it.
        autoFocus
        spellCheck={false}
        rows={Math.min(draft.split('\n').length + 1, 16)}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
        className={`resize-y py-8 font-mono ${CONTROL}`}
      />
      {!isValid && (
        <p id={problemId} className="text-12 text-bad-text">
          This isn’t valid JSON. Fix it to approve the edited call.
        </p>
      )}
    </div>
  )
}

/**
 * Shows no button before the server has answered, so none appears or moves under the pointer. If it doesn't answer, the
 * user can try to approve: the server checks again.
 */
function useRights(approvalId: string) {
  const { data, isPending } = useQuery(approvalQuery(approvalId))
  const { canApprove = true, canEditInput = false } = data ?? {}
  return { areKnown: !isPending, canApprove, canEditInput }
}

/** Null if not JSON. */
function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}
