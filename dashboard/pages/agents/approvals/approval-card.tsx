import { Link } from '@tanstack/react-router'
import { CircleQuestionMark } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import type { Approval } from '../../../api/approvals.ts'
import { failureMessage } from '../../../api/explain.ts'
import { ApprovalPanel } from '../../../components/approvals/approval-panel.tsx'
import { useDecide } from '../../../components/approvals/use-decide.ts'
import { Button } from '../../../components/button.tsx'
import { choicesIn, questionIn } from '../../../components/conversation/question-input.ts'
import { FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'

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
  const { id, kind, summary, projectId, projectName, agentName, sessionId } = approval
  const origin = <Origin approval={approval} withRun={withRun} />
  if (kind === 'approval')
    return (
      <ApprovalPanel
        key={id}
        approval={approval}
        rights={approval}
        projectId={projectId}
        projectName={projectName}
        agentName={agentName}
        sessionId={sessionId}
        isCurrent={isCurrent}
        origin={origin}
        onDecided={onDecided}
      />
    )
  return (
    <article
      aria-label={summary}
      data-approval={id}
      aria-current={isCurrent || undefined}
      className="flex flex-col gap-12 rounded-panel bg-card p-16 shadow-waiting"
    >
      <p className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        <CircleQuestionMark aria-hidden className="icon text-warning-mark" />
        <span className="min-w-0 flex-1">{origin}</span>
        <span className="whitespace-nowrap">
          Expires <Time at={approval.expiresAt} isExpected />
        </span>
      </p>
      <QuestionDecision key={id} approval={approval} onDecided={onDecided} />
      {!approval.canDecide && (
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
