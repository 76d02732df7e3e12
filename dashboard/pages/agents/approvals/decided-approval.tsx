import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { type Approval, openApprovalsQuery } from '../../../api/approvals.ts'
import { DECISIONS } from '../../../components/approvals/approval-labels.ts'
import { localizeSummary } from '../../../components/approvals/approval-summaries.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Code } from '../../../components/code.tsx'
import { Name } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'

interface DecidedApprovalProps {
  approval: Approval
  /** After a decision on this page, focuses the heading, because the focused button is gone. */
  takesFocus: boolean
}

export function DecidedApproval({ approval, takesFocus }: DecidedApprovalProps) {
  const { decidedAt, decidedByName } = approval
  const summary = localizeSummary(approval.summary)
  const { meaning, label } = DECISIONS[approval.decision!]
  const next = useInfiniteQuery(openApprovalsQuery).data?.pages[0]?.items.find(({ id }) => id !== approval.id)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <article aria-label={summary} className="flex flex-col gap-12 px-16 py-16 md:px-24">
      <header className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        <Status meaning={meaning}>{label}</Status>
        <span>
          {decidedByName && (
            <>
              by <Name>{decidedByName}</Name> ·{' '}
            </>
          )}
          {decidedAt && <Time at={decidedAt} />}
        </span>
      </header>
      <h2 ref={heading} tabIndex={-1} className="wrap-anywhere font-medium outline-none">
        {summary}
      </h2>
      <ApprovalDetails approval={approval} />
      {next && (
        <Link
          to="/approvals/$approvalId"
          params={{ approvalId: next.id }}
          className={`self-start ${buttonClass('plain')}`}
        >
          Next open approval
        </Link>
      )}
    </article>
  )
}

export function ApprovalDetails({ approval: { note, input, tool, runId } }: { approval: Approval }) {
  return (
    <div className="flex flex-col gap-8 text-13">
      {note && <p>Note: {note}</p>}
      <p className="flex flex-wrap gap-x-8 text-12 text-neutral-11">
        <code className="font-mono">{tool}</code>
        <Link to="/runs/$runId" params={{ runId }} className="underline hover:text-neutral-12">
          Open run
        </Link>
      </p>
      <Code tall what="input">
        {JSON.stringify(input, null, 2)}
      </Code>
    </div>
  )
}
