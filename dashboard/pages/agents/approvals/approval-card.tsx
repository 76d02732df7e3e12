import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Approval } from '../../../api/approvals.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { choicesIn, questionIn } from '../../../components/conversation/question-input.ts'
import { HIGHER_ROLE } from '../../../components/conversation/transcript/approval-card.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { costIn, parseInput, RISKS } from './approval-labels.ts'
import { DecisionButtons, type DecisionInput, KeyHint, useDecide } from './decision-buttons.tsx'

interface ApprovalCardProps {
  approval: Approval
  isCurrent?: boolean
  onDecided?: () => void
  /** False on its run's page. */
  withRun?: boolean
}

export function ApprovalCard({
  approval,
  isCurrent = false,
  onDecided = () => {},
  withRun = true,
}: ApprovalCardProps) {
  const { id, kind, risk, projectName, expiresAt, canDecide } = approval
  return (
    <article
      aria-label={approval.summary}
      data-approval={id}
      aria-current={isCurrent || undefined}
      className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 aria-[current=true]:bg-selection-wash md:px-24"
    >
      <header className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        <Badge accent={kind === 'input'}>{kind === 'input' ? t`Question` : RISKS[risk].label}</Badge>
        <span className="min-w-0">
          <Origin approval={approval} withRun={withRun} />
        </span>
        <span className="ml-auto whitespace-nowrap">
          Expires <Time at={expiresAt} isExpected />
        </span>
      </header>
      {kind === 'input' ? (
        <QuestionDecision key={id} approval={approval} onDecided={onDecided} />
      ) : (
        <CallDecision key={id} approval={approval} onDecided={onDecided} isCurrent={isCurrent}>
          <p className="text-13 text-neutral-11">{RISKS[risk].affects(`“${projectName}”`)}</p>
        </CallDecision>
      )}
      {!canDecide && (
        <p className="text-13 text-neutral-11">Only members who can edit this project can decide.</p>
      )}
    </article>
  )
}

function Origin({ approval, withRun }: { approval: Approval; withRun: boolean }): ReactNode {
  const { agentName, projectName, runId, requestedAt } = approval
  return (
    <>
      <Name>{agentName}</Name> in <Name>{projectName}</Name> · <Time at={requestedAt} />
      {withRun && (
        <>
          {' · '}
          <Link to="/runs/$runId" params={{ runId }} data-open className="underline hover:text-neutral-12">
            Open run
          </Link>
        </>
      )}
    </>
  )
}

interface DecisionProps {
  approval: Approval
  onDecided: () => void
  isCurrent: boolean
  children: ReactNode
}

type Scope = NonNullable<DecisionInput['scope']>

function CallDecision({ approval, onDecided, isCurrent, children }: DecisionProps) {
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
          label={textWithNames`Input for ${tool}`}
          rows={Math.min(16, Math.max(4, edited.split('\n').length))}
          spellCheck={false}
          className="font-mono sm:text-12!"
          value={edited}
          error={parsed?.problem}
          hint="The call will use this input instead."
          autoFocus
          onChange={(event) => setEdited(event.target.value)}
        />
      )}
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {canDecide && (
        <>
          <DecisionButtons
            noteHint={t`The agent reads this note.`}
            canApprove={canApprove}
            isBusy={decide.isPending}
            isCurrent={isCurrent}
            onDecide={send}
          >
            {canApprove && (
              <InlineSelect
                label="Approval scope"
                narrow
                value={scope}
                options={[
                  { value: 'once', label: t`Only this call` },
                  ...(sessionId
                    ? [{ value: 'session' as const, label: t`Always in this conversation` }]
                    : []),
                  { value: 'agent', label: t`Always for ${agentName}` },
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
                {edited === undefined ? t`Edit input` : t`Discard changes`}
                {isCurrent && edited === undefined && <KeyHint keys="e" />}
              </Button>
            )}
          </DecisionButtons>
          {!canApprove && <p className="text-12 text-neutral-11">{HIGHER_ROLE}</p>}
          {requiresStepUp && canApprove && (
            <p className="text-12 text-neutral-11">You’ll need to confirm your identity to approve.</p>
          )}
        </>
      )}
    </>
  )
}

interface QuestionDecisionProps {
  approval: Approval
  onDecided: () => void
}

const ANSWER_MAX = 10_000

function QuestionDecision({ approval, onDecided }: QuestionDecisionProps) {
  const { input, canDecide } = approval
  const [answer, setAnswer] = useState('')
  const decide = useDecide(approval, onDecided)
  const choices = choicesIn(input)
  return (
    <>
      <h2 className="wrap-anywhere whitespace-pre-wrap font-medium">{questionIn(approval)}</h2>
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {canDecide && (
        <form
          className="flex flex-col gap-12"
          onSubmit={(event) => {
            event.preventDefault()
            if (answer.trim() && !decide.isPending) decide.mutate({ decision: 'approve', answer })
          }}
        >
          {choices.length > 0 && (
            <div className="flex flex-wrap gap-8">
              {choices.map((choice) => (
                <Button
                  key={choice}
                  busy={decide.isPending && decide.variables.answer === choice}
                  onClick={() => decide.mutate({ decision: 'approve', answer: choice })}
                >
                  {choice}
                </Button>
              ))}
            </div>
          )}
          <TextArea
            label={choices.length > 0 ? t`Another answer` : t`Your answer`}
            rows={2}
            limit={ANSWER_MAX}
            data-answer
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
            onKeyDown={submitOnModEnter}
          />
          <div className="flex gap-8">
            <Button look="primary" type="submit" disabled={!answer.trim()} busy={decide.isPending}>
              Answer
            </Button>
            <Button data-deny busy={decide.isPending} onClick={() => decide.mutate({ decision: 'deny' })}>
              Don’t answer
            </Button>
          </div>
        </form>
      )}
    </>
  )
}
