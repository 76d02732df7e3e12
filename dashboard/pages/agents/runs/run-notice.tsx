import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../contract/text.ts'
import { runApprovalsQuery } from '../../../api/approvals.ts'
import { api } from '../../../api/client.ts'
import { listsQuery, refreshLists } from '../../../api/for-each.ts'
import { type AgentRun, childrenQuery, refreshRun } from '../../../api/runs.ts'
import { useSession } from '../../../api/session.ts'
import { formatCost } from '../../../components/amounts.ts'
import { budgetParam, explainBudgetWait, type WaitingBudget } from '../../../components/budget-labels.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { NoticeBanner } from '../../../components/layout/notice-banner.tsx'
import { withNames } from '../../../components/name.tsx'
import { asSentence, describeRunProblem } from '../../../components/run-problem.ts'
import { Time } from '../../../components/time.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { explainWait } from './run-labels.ts'

export function RunNotice({ run }: { run: AgentRun }) {
  if (run.status === 'failed') return <FailureBanner run={run} />
  if (run.status !== 'waiting' || !run.wait) return null
  const { for: reason, until, failure } = run.wait
  if (reason === 'approval' || reason === 'input') return <OpenApprovals run={run} />
  // The page shows the form.
  if (reason === 'form') return null
  if (reason === 'child') return <ChildWait run={run} />
  if (reason === 'preview') return <PreviewNotice run={run} />
  if (run.wait.budget) return <BudgetWait budget={run.wait.budget} until={until} />
  return (
    <NoticeBanner tone="warning">
      {failure ? asSentence(failure.message) : explainWait(reason)}{' '}
      {until && (
        <>
          Next attempt <Time at={until} isExpected />.
        </>
      )}
    </NoticeBanner>
  )
}

/** Links to the waiting child run, because its page has the decision. */
function ChildWait({ run }: { run: AgentRun }) {
  const { data } = useQuery(childrenQuery(run.id, true))
  const waitingChild = data?.items.find(({ waitsFor }) => waitsFor === 'approval' || waitsFor === 'input')
  if (!waitingChild)
    return run.kind === 'workflow' ? null : <NoticeBanner tone="warning">{explainWait('child')}</NoticeBanner>
  return (
    <NoticeBanner
      tone="warning"
      action={
        <Link to="/runs/$runId" params={{ runId: waitingChild.id }} className={buttonClass('plain', 'small')}>
          {waitingChild.waitsFor === 'input' ? t`Answer` : t`Decide`}
        </Link>
      }
    >
      {withNames`“${waitingChild.title}” ${waitingChild.waitsFor === 'input' ? t`asks a question` : t`needs approval`}.`}
    </NoticeBanner>
  )
}

/** The first items of a list have run, and a member decides about the rest. */
function PreviewNotice({ run: { id, canEdit } }: { run: AgentRun }) {
  const { data } = useQuery(listsQuery(id, true))
  const held = data?.items.filter(({ isPreview }) => isPreview) ?? []
  const remaining = held.reduce((sum, { total, done, failed }) => sum + total - done - failed, 0)
  const estimate = held.reduce((sum, list) => sum + Number(list.estimate?.amount ?? 0), 0)
  const resume = useMutation({
    mutationFn: () => api.forEach.continue({ id }),
    onSuccess: () => Promise.all([refreshRun(id), refreshLists(id)]),
    onError: toastFailure,
  })
  return (
    <NoticeBanner
      tone="warning"
      action={
        canEdit &&
        data && (
          <Button look="primary" size="small" busy={resume.isPending} onClick={() => resume.mutate()}>
            {remaining === 1
              ? t`Run the remaining item`
              : t`Run the remaining ${remaining.toLocaleString(LOCALE)} items`}
          </Button>
        )
      }
    >
      {explainWait('preview')}
      {estimate > 0 && ` ${t`The rest costs about ${formatCost({ amount: String(estimate) })}.`}`}
    </NoticeBanner>
  )
}

function BudgetWait({ budget, until }: { budget: WaitingBudget; until: string | null }) {
  const { role } = useSession()
  const canRaise = role !== 'member' && budget.reason === 'spent'
  return (
    <NoticeBanner
      tone="warning"
      action={
        canRaise && (
          <Link
            to="/settings/organization/usage"
            search={{ budget: budgetParam(budget) }}
            className={buttonClass('plain', 'small')}
          >
            Raise budget
          </Link>
        )
      }
    >
      {explainBudgetWait(budget)}{' '}
      {until && budget.reason === 'spent' && (
        <>
          The next period starts <Time at={until} isExpected />.
        </>
      )}
      {budget.reason === 'spent' && role === 'member' && t`An admin can raise it.`}
    </NoticeBanner>
  )
}

function FailureBanner({ run }: { run: AgentRun }) {
  const { message, next } = describeRunProblem(run)
  return (
    <NoticeBanner
      tone="bad"
      action={next.page && <NextPage run={run} page={next.page} label={next.label!} />}
    >
      <span className="font-medium">{message}</span> {next.text}
    </NoticeBanner>
  )
}

function NextPage({
  run,
  page,
  label,
}: {
  run: AgentRun
  page: 'agent' | 'models' | 'chat' | 'usage'
  label: string
}) {
  const className = buttonClass('plain', 'small')
  if (page === 'usage')
    return (
      <Link to="/settings/organization/usage" className={className}>
        {label}
      </Link>
    )
  if (page === 'models')
    return (
      <Link to="/settings/organization/models" className={className}>
        {label}
      </Link>
    )
  if (page === 'chat')
    return (
      <Link to="/chat/$sessionId" params={{ sessionId: run.sessionId }} search={{}} className={className}>
        {label}
      </Link>
    )
  return (
    <Link to="/agents/$id" params={{ id: run.agentId }} className={className}>
      {label}
    </Link>
  )
}

function OpenApprovals({ run }: { run: AgentRun }) {
  const { data } = useQuery(runApprovalsQuery(run.id))
  return (
    <section
      aria-label="Waiting for a decision"
      className="flex max-w-column flex-col gap-16 px-16 py-16 md:px-24"
    >
      {data?.items.map((approval) => (
        <ApprovalCard
          key={approval.id}
          approval={approval}
          withRun={false}
          onDecided={() => void refreshRun(run.id)}
        />
      ))}
    </section>
  )
}
