import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { formatCost } from '../../../components/amounts.ts'
import { FactCell, LINK } from '../../../components/layout/fact.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { CallStatus } from '../call-cells.tsx'
import { callSeconds, clockTime, PROVIDERS } from '../call-labels.ts'
import { Phone } from '../phone.tsx'
import { type CallDetails, rulesQuery } from '../telephony-queries.ts'

export function CallFacts({ call, now }: { call: CallDetails; now: number }) {
  const { from, to, provider, member, agentId, agentName, runId, sessionId, ruleId, startedAt, cost } = call
  const seconds = callSeconds(call, now)
  // Carriers report their price later. A browser call has the models' prices at once, if they have any.
  const isPriced = provider !== 'browser' || call.endedAt === null
  return (
    <dl className="grid grid-cols-2 gap-x-24 gap-y-12 border-neutral-6 border-b px-16 py-16 text-13 @wide:grid-cols-4 md:px-24">
      <FactCell label="Status" className="col-span-2 sm:hidden">
        <CallStatus call={call} />
      </FactCell>
      <FactCell label="From">{member ? <Name>{member.name}</Name> : <Phone>{from}</Phone>}</FactCell>
      <FactCell label="To">{member ? <Name>{to}</Name> : <Phone>{to}</Phone>}</FactCell>
      <FactCell label="Started">
        <Time at={startedAt} />
      </FactCell>
      <FactCell label="Duration">{seconds === null ? t`Not answered` : clockTime(seconds)}</FactCell>
      <FactCell label="Agent">
        {agentId ? (
          <Link to="/agents/$id" params={{ id: agentId }} search={{}} className={LINK}>
            <Name>{agentName ?? t`Agent`}</Name>
          </Link>
        ) : (
          t`None`
        )}
      </FactCell>
      {(runId ?? sessionId) && (
        <FactCell label="Conversation">
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
        </FactCell>
      )}
      <FactCell label="Cost">
        {cost ? formatCost(cost) : isPriced ? t`Not known yet` : t`Unknown`}
        {cost?.isEstimate && <span className="text-neutral-11"> (estimate)</span>}
      </FactCell>
      {ruleId && (
        <FactCell label="Rule">
          <RuleLink ruleId={ruleId} />
        </FactCell>
      )}
      {provider !== 'twilio' && provider !== 'browser' && (
        <FactCell label="Voice provider">{PROVIDERS[provider]}</FactCell>
      )}
      {provider === 'browser' && <FactCell label="Channel">Browser</FactCell>}
    </dl>
  )
}

/** Deleted rules have no name. */
function RuleLink({ ruleId }: { ruleId: string }) {
  const rules = useQuery(rulesQuery).data?.items
  const rule = rules?.find(({ id }) => id === ruleId)
  if (rules && !rule) return t`Deleted rule`
  return (
    <Link to="/phone/routing" search={{ rule: ruleId }} className={LINK}>
      <Name>{rule?.name ?? t`Open rule`}</Name>
    </Link>
  )
}
