import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ConnectorEndpoint } from '../../../../api/connections/connector-endpoints.ts'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { REPLIES } from './endpoint-labels.tsx'

const LINK = 'underline hover:text-neutral-12'

/** The settings of the endpoint, and the number of received events. */
export function EndpointFacts({ endpoint }: { endpoint: ConnectorEndpoint }) {
  const { agentId, agentName, projectId, projectName, owner, events, filter, reply, sessionKey } = endpoint
  const { fields, counts, renewsAt, lastError } = endpoint
  return (
    <dl className="flex flex-col gap-8 text-13">
      <Fact name="Agent">
        <Link to="/agents/$id" params={{ id: agentId }} className={LINK}>
          <Name>{agentName}</Name>
        </Link>
        {' in '}
        <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
          <Name>{projectName}</Name>
        </Link>
      </Fact>
      <Fact name="Runs as">
        <Name>{owner.name}</Name>
      </Fact>
      {Object.entries(fields).map(([key, value]) => (
        <Fact key={key} name={key}>
          <span className="font-mono text-12">{value}</span>
        </Fact>
      ))}
      <Fact name="Events">{events.length === 0 ? 'All' : events.join(', ')}</Fact>
      {filter && (
        <Fact name="Filter">
          <code className="wrap-anywhere font-mono text-12">{filter}</code>
        </Fact>
      )}
      <Fact name="Replies">{REPLIES[reply].label}</Fact>
      <Fact name="Session">
        <code className="wrap-anywhere font-mono text-12">{sessionKey}</code>
      </Fact>
      <Fact name="Received">
        {counts.received.toLocaleString('en')} events, {counts.duplicates.toLocaleString('en')} repeated,{' '}
        {counts.ignored.toLocaleString('en')} ignored, {counts.rejected.toLocaleString('en')} rejected
      </Fact>
      <Fact name="Handled">
        {counts.succeeded.toLocaleString('en')} succeeded, {counts.failed.toLocaleString('en')} failed,{' '}
        {counts.waiting.toLocaleString('en')} waiting
      </Fact>
      {renewsAt && (
        <Fact name="Renewed">
          <Time at={renewsAt} isExpected />
        </Fact>
      )}
      {lastError && (
        <Fact name="Last error">
          <span className="text-bad-text">{lastError.message}</span> <Time at={lastError.at} />
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-12">
      <dt className="w-when shrink-0 text-neutral-11">{name}</dt>
      <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
    </div>
  )
}
