import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type AgentRun, childrenQuery } from '../../../api/runs.ts'
import { formatDuration, formatRunCost, formatTokens, runCostTitle } from '../../../components/amounts.ts'
import { Figure, Figures } from '../../../components/charts/figures.tsx'
import { formatMoment } from '../../../components/dates.ts'
import { FactRow, LINK } from '../../../components/layout/fact.tsx'
import { Name } from '../../../components/name.tsx'
import { Status, StatusMark } from '../../../components/status.tsx'
import { describeRunStatus, runDurationMs, TRIGGERS, TRUST_REASONS, TRUSTS } from './run-labels.ts'

interface RunFactsProps {
  run: AgentRun
  /** If `run.model` differs, it is a fallback. */
  firstModel: string | undefined
  now: number
}

/** A workflow has no model: its blocks' runs have one. */
export function RunFacts({ run, firstModel, now }: RunFactsProps) {
  const { agentId, agentName, agentVersion, projectId, projectName, eventId, parentRunId, startedAt } = run
  const duration = runDurationMs(run, now)
  const isAgent = run.kind === 'agent'
  const status = describeRunStatus(run)
  const tokens = run.tokensIn + run.tokensOut
  return (
    <div className="border-neutral-6 border-b pb-8 text-13">
      <Figures>
        <Figure
          label="Status"
          value={
            <span className="flex items-center gap-8 whitespace-normal">
              <StatusMark meaning={status.meaning} />
              {status.label}
            </span>
          }
          note={undefined}
        />
        <Figure
          label="Duration"
          value={duration === null ? '–' : formatDuration(duration)}
          note={startedAt ? t`Started ${formatMoment(startedAt)}` : t`Not started`}
        />
        <Figure
          label="Cost"
          value={formatRunCost(run.cost)}
          note={tokens > 0 ? runCostTitle(run.cost) : undefined}
        />
        {isAgent && (
          <Figure
            label="Tokens"
            value={formatTokens(tokens)}
            note={[
              t`${run.tokensIn.toLocaleString(LOCALE)} in, ${run.tokensOut.toLocaleString(LOCALE)} out`,
              run.tokensCacheRead > 0 && t`${run.tokensCacheRead.toLocaleString(LOCALE)} read from cache`,
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        )}
      </Figures>
      <dl className="grid max-w-sheet gap-x-48 px-16 @wide:grid-cols-2 md:px-24">
        {isAgent && (
          <FactRow label="Agent">
            <Link to="/agents/$id" params={{ id: agentId }} search={{ panel: 'versions' }} className={LINK}>
              <Name>{agentName}</Name>
            </Link>{' '}
            <span className="text-neutral-11">version {agentVersion}</span>
          </FactRow>
        )}
        <FactRow label="Project">
          <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
            <Name>{projectName}</Name>
          </Link>
        </FactRow>
        {isAgent && (
          <FactRow label="Conversation">
            <Link to="/chat/$sessionId" params={{ sessionId: run.sessionId }} search={{}} className={LINK}>
              Open in chat
            </Link>
          </FactRow>
        )}
        <FactRow label="Started by">
          <Name>{run.createdByName}</Name>
          <span className="text-neutral-11"> · {TRIGGERS[run.trigger]}</span>
        </FactRow>
        {isAgent && (
          <>
            <FactRow label="Model">
              <code className="font-mono text-12">{run.model}</code>
              {firstModel !== undefined && firstModel !== run.model && (
                <span className="block text-12 text-neutral-11">
                  Fallback for <code className="font-mono">{firstModel}</code>
                </span>
              )}
            </FactRow>
            <FactRow label="Steps">
              {run.steps} (limit {run.maxSteps})
            </FactRow>
          </>
        )}
        <FactRow label="Trust">
          <span title={TRUSTS[run.trust]}>{TRUSTS[run.trust].split(':')[0]}</span>
          {run.trustReason && (
            <span className="block text-12 text-neutral-11">{TRUST_REASONS[run.trustReason]}</span>
          )}
        </FactRow>
        {eventId && (
          <FactRow label="Event">
            <Link to="/webhooks/events/$eventId" params={{ eventId }} className={LINK}>
              Open event
            </Link>
          </FactRow>
        )}
        {parentRunId && (
          <FactRow label="Parent run">
            <Link to="/runs/$runId" params={{ runId: parentRunId }} className={LINK}>
              Open run
            </Link>
          </FactRow>
        )}
      </dl>
    </div>
  )
}

export function RunChildren({ run: { id, kind }, isLive }: { run: AgentRun; isLive: boolean }) {
  const { data } = useQuery(childrenQuery(id, isLive))
  if (!data || data.items.length === 0) return null
  const heading = kind === 'workflow' ? t`Blocks` : t`Called agents`
  return (
    <section aria-label={heading}>
      <h2 className="px-16 pt-24 pb-12 font-strong md:px-24">{heading}</h2>
      <ul className="border-neutral-6 border-t">
        {data.items.map((child) => {
          const { label, meaning } = describeRunStatus({
            ...child,
            wait: child.waitsFor && { for: child.waitsFor },
            cancelRequestedAt: null,
          })
          return (
            <li
              key={child.id}
              className="flex items-center gap-16 border-neutral-6 border-b px-16 py-8 text-13 md:px-24"
            >
              <span className="min-w-0 flex-1">
                <Link
                  to="/runs/$runId"
                  params={{ runId: child.id }}
                  className="block truncate font-medium hover:underline"
                >
                  <Name>{child.title || t`Untitled run`}</Name>
                </Link>
                <span className="block truncate text-12 text-neutral-11">
                  <Name>{child.agentName}</Name>
                </span>
              </span>
              <Status meaning={meaning}>{label}</Status>
              <span title={runCostTitle(child.cost)} className="shrink-0 text-right tabular-nums">
                {formatRunCost(child.cost)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
