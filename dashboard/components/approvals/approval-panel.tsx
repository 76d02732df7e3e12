import { CirclePause } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import type { Approval } from '../../api/approvals.ts'
import { failureMessage } from '../../api/explain.ts'
import { useLayer } from '../../state/layers.ts'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { TextArea } from '../forms/field.tsx'
import { InlineSelect } from '../forms/select.tsx'
import { Time } from '../time.tsx'
import { describeCalls } from '../tool-sentences.tsx'
import { parseInput, RISKS } from './approval-labels.ts'
import { ApprovalPreview } from './approval-preview.tsx'
import { localizeSummary } from './approval-summaries.ts'
import { editedField } from './call-preview.ts'
import { DecisionButtons, KeyHint } from './decision-buttons.tsx'
import { type DecisionInput, useDecide } from './use-decide.ts'

interface ApprovalPanelProps {
  approval: Pick<Approval, 'id' | 'tool' | 'input' | 'summary' | 'risk' | 'expiresAt'>
  /** What the reader may do. Undefined until read: no button appears or moves under the pointer. */
  rights: Rights | undefined
  projectId: string | undefined
  projectName?: string | undefined
  agentName: string | undefined
  sessionId: string | null
  /** Reacts to keys. */
  isCurrent?: boolean
  /** Where the request comes from. */
  origin?: ReactNode
  onDecided?: () => void
}

type Rights = Pick<Approval, 'canDecide' | 'canApprove' | 'canEditInput' | 'requiresStepUp'>

/** A call that waits for a decision, in a conversation, the inbox and on its own page. */
export function ApprovalPanel(props: ApprovalPanelProps) {
  const { approval, rights, projectName, isCurrent = false, origin, onDecided } = props
  const { id, tool, input, summary, risk, expiresAt } = approval
  const { task } = describeCalls([{ tool, input }])
  const editButton = useRef<HTMLButtonElement>(null)
  const editor = useInputEditor(approval, () => editButton.current?.focus())
  const [scope, setScope] = useState<Scope>('once')
  const decide = useDecide(approval, onDecided)
  const onDecide = (decision: 'approve' | 'deny', note: string | undefined) => {
    if (decision === 'deny') decide.mutate({ decision, note })
    else if (!editor.problem)
      decide.mutate({ decision, scope, ...(editor.isOpen && { input: editor.input }) })
  }
  return (
    <article
      aria-label={textWithNames`Approval: ${localizeSummary(summary)}`}
      data-approval={id}
      aria-current={isCurrent || undefined}
      className="@container overflow-hidden rounded-panel bg-card shadow-waiting"
    >
      <header className="flex flex-col gap-4 px-16 pt-12 pb-8">
        <h2 className="flex min-w-0 items-start gap-8 text-14">
          <CirclePause aria-hidden className="icon mt-2 text-warning-mark" />
          <span className="wrap-anywhere min-w-0">
            <b className="font-medium">Wants to</b> {task}
          </span>
        </h2>
        {origin && <p className="pl-24 text-12 text-neutral-11">{origin}</p>}
        {risk !== 'none' && (
          <p className="pl-24 text-12 text-neutral-11">
            {RISKS[risk].affects(projectName ? `“${projectName}”` : t`the project`)}
          </p>
        )}
      </header>
      <div className="px-16 pb-12">
        {editor.isOpen ? (
          <InputEditor tool={tool} editor={editor} />
        ) : (
          <ApprovalPreview tool={tool} input={input} projectId={props.projectId} />
        )}
        <FormFailure>{failureMessage(decide.error)}</FormFailure>
      </div>
      {rights?.canDecide && (
        <footer className="border-neutral-6 border-t px-16 py-12">
          <DecisionButtons
            reasonHint={t`The agent reads it.`}
            approveLabel={editor.isOpen ? t`Approve edited call` : t`Approve`}
            canApprove={rights.canApprove}
            isDisabled={editor.problem !== undefined}
            isBusy={decide.isPending}
            isCurrent={isCurrent}
            onDecide={onDecide}
            start={
              <>
                <span>
                  Expires <Time at={expiresAt} isExpected />
                </span>
                {rights.canApprove && <ScopeSelect {...props} scope={scope} onChoose={setScope} />}
              </>
            }
          >
            {rights.canEditInput && (
              <Button ref={editButton} data-edit onClick={editor.toggle}>
                {editor.isOpen ? t`Discard changes` : t`Edit`}
                {isCurrent && !editor.isOpen && <KeyHint keys="e" />}
              </Button>
            )}
          </DecisionButtons>
          {!rights.canApprove && <p className="pt-8 text-12 text-neutral-11">{HIGHER_ROLE}</p>}
          {rights.requiresStepUp && rights.canApprove && (
            <p className="pt-8 text-12 text-neutral-11">You’ll need to confirm your identity to approve.</p>
          )}
        </footer>
      )}
      {rights && !rights.canDecide && (
        <p className="border-neutral-6 border-t px-16 py-12 text-12 text-neutral-11">
          Only members who can edit this project can decide.
        </p>
      )}
    </article>
  )
}

const HIGHER_ROLE = t`This call needs a higher role’s permissions, so you can only deny it.`

type Scope = NonNullable<DecisionInput['scope']>

interface ScopeSelectProps extends Pick<ApprovalPanelProps, 'agentName' | 'sessionId'> {
  scope: Scope
  onChoose: (scope: Scope) => void
}

const ScopeSelect = ({ agentName, sessionId, scope, onChoose }: ScopeSelectProps) => (
  <InlineSelect
    label="Approval scope"
    small
    value={scope}
    options={[
      { value: 'once', label: t`Only this call` },
      ...(sessionId ? [{ value: 'session' as const, label: t`Always in this conversation` }] : []),
      { value: 'agent', label: agentName ? t`Always for ${agentName}` : t`Always for this agent` },
    ]}
    onChoose={onChoose}
  />
)

/** A message or a file is edited as text, everything else as JSON. */
function useInputEditor({ tool, input }: Pick<Approval, 'tool' | 'input'>, onClosed: () => void) {
  const field = editedField(tool, input)
  const original =
    field === null ? JSON.stringify(input ?? {}, null, 2) : String((input as Record<string, unknown>)[field])
  const [isOpen, setOpen] = useState(false)
  // Kept when the editor closes, so Escape loses nothing.
  const [draft, setDraft] = useState(original)
  const parsed = field === null ? parseInput(draft) : { value: { ...(input as object), [field]: draft } }
  return {
    isText: field !== null,
    isOpen,
    draft,
    setDraft,
    input: parsed.value,
    problem: isOpen && 'problem' in parsed ? parsed.problem : undefined,
    close: () => {
      setOpen(false)
      onClosed()
    },
    toggle: () => {
      if (isOpen) setDraft(original)
      setOpen(!isOpen)
    },
  }
}

function InputEditor({ tool, editor }: { tool: string; editor: ReturnType<typeof useInputEditor> }) {
  useLayer(editor.close)
  return (
    <TextArea
      label={editor.isText ? t`Text` : textWithNames`Input for ${tool}`}
      rows={Math.min(16, Math.max(4, editor.draft.split('\n').length))}
      spellCheck={editor.isText}
      className={editor.isText ? '' : 'font-mono sm:text-12!'}
      value={editor.draft}
      isLive
      error={editor.problem}
      hint={editor.isText ? undefined : t`The call will use this input instead.`}
      autoFocus
      onChange={(event) => editor.setDraft(event.target.value)}
    />
  )
}
