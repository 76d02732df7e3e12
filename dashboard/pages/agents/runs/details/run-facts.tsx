import { Link } from '@tanstack/react-router'
import type { AgentRun } from '../../../../api/runs.ts'
import { formatCost, formatDuration } from '../../../../components/amounts.ts'
import { FactCell, LINK } from '../../../../components/layout/fact.tsx'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { durationOf, TRIGGERS, TRUST_REASONS, TRUSTS } from '../run-labels.ts'

interface RunFactsProps {
  run: AgentRun
  /** The model of the first step. If `run.model` differs, it is a fallback. */
  firstModel: string | undefined
  now: number
}

/** Agent, project, duration and cost of a run. A workflow has no model: the runs of its blocks have one. */
export function RunFacts({ run, firstModel, now }: RunFactsProps) {
  const { agentId, agentName, agentVersion, projectId, projectName, eventId, parentRunId } = run
  const duration = durationOf(run, now)
  const isAgent = run.kind === 'agent'
  return (
    <dl className="grid grid-cols-2 gap-x-24 gap-y-16 border-neutral-6 border-b px-16 py-16 text-13 @wide:grid-cols-4 md:px-24">
      {isAgent && (
        <FactCell label="Agent">
          <Link to="/agents/$id" params={{ id: agentId }} search={{ panel: 'versions' }} className={LINK}>
            <Name>{agentName}</Name>
          </Link>{' '}
          <span className="text-neutral-11">version {agentVersion}</span>
        </FactCell>
      )}
      <FactCell label="Project">
        <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
          <Name>{projectName}</Name>
        </Link>
      </FactCell>
      {isAgent && (
        <FactCell label="Conversation">
          <Link to="/chat/$sessionId" params={{ sessionId: run.sessionId }} search={{}} className={LINK}>
            Open in chat
          </Link>
        </FactCell>
      )}
      <FactCell label="Started by">
        <Name>{run.createdByName}</Name>
        <span className="text-neutral-11"> · {TRIGGERS[run.trigger]}</span>
      </FactCell>
      <FactCell label="Started">
        <Time at={run.startedAt ?? run.createdAt} />
      </FactCell>
      <FactCell label="Duration">{duration === null ? 'Not started' : formatDuration(duration)}</FactCell>
      <FactCell label="Cost">
        <span title={`${run.cost.amount} ${run.cost.currency}`}>{formatCost(run.cost)}</span>
      </FactCell>
      {isAgent && (
        <>
          <FactCell label="Tokens">
            {run.tokensIn.toLocaleString('en')} in, {run.tokensOut.toLocaleString('en')} out
          </FactCell>
          <FactCell label="Steps">
            {run.steps} of at most {run.maxSteps}
          </FactCell>
          <FactCell label="Model">
            <code className="font-mono text-12">{run.model}</code>
            {firstModel !== undefined && firstModel !== run.model && (
              <span className="block text-12 text-neutral-11">
                Fallback for <code className="font-mono">{firstModel}</code>
              </span>
            )}
          </FactCell>
        </>
      )}
      <FactCell label="Trust">
        <span title={TRUSTS[run.trust]}>{TRUSTS[run.trust].split(':')[0]}</span>
        {run.trustReason && (
          <span className="block text-12 text-neutral-11">{TRUST_REASONS[run.trustReason]}</span>
        )}
      </FactCell>
      {eventId && (
        <FactCell label="Event">
          <Link to="/webhooks/events/$eventId" params={{ eventId }} className={LINK}>
            Open the event
          </Link>
        </FactCell>
      )}
      {parentRunId && (
        <FactCell label="Started by run">
          <Link to="/runs/$runId" params={{ runId: parentRunId }} className={LINK}>
            Open the run
          </Link>
        </FactCell>
      )}
    </dl>
  )
}
