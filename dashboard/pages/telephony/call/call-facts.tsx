import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CallDetails } from '../../../api/telephony/calls.ts'
import { rulesQuery } from '../../../api/telephony/routing.ts'
import { formatCost } from '../../../components/amounts.ts'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { callSeconds, clockTime, PROVIDERS } from '../call-labels.ts'
import { CallStatus } from '../call-status.tsx'
import { LINK } from '../fact.tsx'
import { Phone } from '../phone.tsx'

/** Caller, called number, duration and cost. */
export function CallFacts({ call, now }: { call: CallDetails; now: number }) {
  const { from, to, provider, agentId, agentName, runId, sessionId, ruleId, startedAt, cost } = call
  const seconds = callSeconds(call, now)
  return (
    <dl className="grid grid-cols-2 gap-x-24 gap-y-12 border-neutral-6 border-b px-16 py-16 text-13 @wide:grid-cols-4 md:px-24">
      <Fact label="Status" className="col-span-2 sm:hidden">
        <CallStatus call={call} />
      </Fact>
      <Fact label="From">
        <Phone>{from}</Phone>
      </Fact>
      <Fact label="To">
        <Phone>{to}</Phone>
      </Fact>
      <Fact label="Started">
        <Time at={startedAt} />
      </Fact>
      <Fact label="Duration">{seconds === null ? 'Not answered' : clockTime(seconds)}</Fact>
      <Fact label="Agent">
        {agentId ? (
          <Link to="/agents/$id" params={{ id: agentId }} search={{}} className={LINK}>
            <Name>{agentName ?? 'Agent'}</Name>
          </Link>
        ) : (
          'None'
        )}
      </Fact>
      {(runId ?? sessionId) && (
        <Fact label="Conversation">
          {sessionId && (
            <Link to="/chat/$sessionId" params={{ sessionId }} search={{}} className={LINK}>
              Open in chat
            </Link>
          )}
          {runId && (
            <>
              {sessionId && ' · '}
              <Link to="/runs/$runId" params={{ runId }} className={LINK}>
                Last run
              </Link>
            </>
          )}
        </Fact>
      )}
      <Fact label="Cost">
        {cost ? formatCost(cost) : 'Not known yet'}
        {cost?.isEstimate && <span className="text-neutral-11"> (estimate)</span>}
      </Fact>
      {ruleId && (
        <Fact label="Rule">
          <RuleLink ruleId={ruleId} />
        </Fact>
      )}
      {provider !== 'twilio' && <Fact label="Voice provider">{PROVIDERS[provider]}</Fact>}
    </dl>
  )
}

/** A deleted rule has no name. */
function RuleLink({ ruleId }: { ruleId: string }) {
  const rules = useQuery(rulesQuery).data?.items
  const rule = rules?.find(({ id }) => id === ruleId)
  if (rules && !rule) return 'A deleted rule'
  return (
    <Link to="/telephony/routing" search={{ rule: ruleId }} className={LINK}>
      <Name>{rule?.name ?? 'Open the rule'}</Name>
    </Link>
  )
}

interface FactProps {
  label: string
  className?: string
  children: ReactNode
}

const Fact = ({ label, className = '', children }: FactProps) => (
  <div className={`min-w-0 ${className}`}>
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="wrap-anywhere tabular-nums">{children}</dd>
  </div>
)
