import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Approval } from '../../../api/approvals.ts'
import { Badge } from '../../../components/badge.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { RISKS } from './approval-labels.ts'
import { CallDecision } from './call-decision.tsx'
import { QuestionDecision } from './question-decision.tsx'

interface ApprovalCardProps {
  approval: Approval
  /** Receives the keys of the page. */
  isCurrent?: boolean
  onDecided?: () => void
  /** False on the page of its run. */
  withRun?: boolean
}

/** An open approval: the effect of the call, its exact input, and the decision. */
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
      className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-16 aria-[current=true]:bg-accent-wash md:px-24"
    >
      <header className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        <Badge accent={kind === 'input'}>{kind === 'input' ? 'Question' : RISKS[risk].label}</Badge>
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
      {!canDecide && <p className="text-13 text-neutral-11">Members who can edit this project decide.</p>}
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
