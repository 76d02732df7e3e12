import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import {
  type Connection,
  type Connector,
  type ConnectorEndpoint,
  connectionApi,
  endpointsQuery,
  refreshEndpoints,
} from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { Code } from '../../../../components/code.tsx'
import { Panel, PanelSection } from '../../../../components/layout/panel.tsx'
import { Name } from '../../../../components/name.tsx'
import { Time, useNow } from '../../../../components/time.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { describeEndpointState, EndpointState, REPLIES } from './endpoint-labels.tsx'
import { EventList } from './event-list.tsx'

interface EndpointPanelProps {
  id: string
  connection: Connection
  connector: Connector
}

export function EndpointPanel({ id, connection, connector }: EndpointPanelProps) {
  const navigate = useNavigate()
  const endpoint = useQuery(endpointsQuery(connection.id)).data?.items.find((each) => each.id === id)
  const close = () => void navigate({ to: '/integrations/$id', params: { id: connection.id }, search: {} })
  if (!endpoint) return null
  const { reason } = describeEndpointState(endpoint)
  return (
    <Panel title={endpoint.name} subtitle={<EndpointState endpoint={endpoint} />} onClose={close}>
      <PanelSection>
        <div className="flex flex-col gap-12">
          {reason && <p className="text-13 text-neutral-11">{reason}</p>}
          <EndpointActions
            endpoint={endpoint}
            connection={connection}
            connector={connector}
            onDeleted={close}
          />
        </div>
      </PanelSection>
      <PanelSection title="URL for the provider">
        <Code what="URL">{endpoint.url}</Code>
        <ProviderSecret endpoint={endpoint} connector={connector} />
        {endpoint.verificationToken && (
          <div className="mt-12 flex flex-col gap-4">
            <p className="text-13 text-neutral-11">
              {connector.name} sent this token to check the URL. Paste it there:
            </p>
            <Code what="token">{endpoint.verificationToken}</Code>
          </div>
        )}
      </PanelSection>
      <PanelSection title="Settings">
        <EndpointFacts endpoint={endpoint} />
      </PanelSection>
      <PanelSection title="Events">
        <EventList endpoint={endpoint} />
      </PanelSection>
    </Panel>
  )
}

interface ProviderSecretProps {
  endpoint: ConnectorEndpoint
  connector: Connector
}

/** For providers that send the signing secret themselves. */
function ProviderSecret({ endpoint, connector }: ProviderSecretProps) {
  const { id, registration, canEdit, secretUntil, secretFingerprint } = endpoint
  const accept = useMutation({
    mutationFn: () => connectionApi.connectorEndpoints.update({ id, acceptSecret: true }),
    onSuccess: refreshEndpoints,
    onError: toastFailure,
  })
  const now = useNow()
  const isOpen = secretUntil !== null && Date.parse(secretUntil) > now
  if (secretFingerprint === null && secretUntil === null) return null
  return (
    <div className="mt-12 flex flex-col items-start gap-8 text-13 text-neutral-11">
      {secretFingerprint !== null ? (
        <p>
          Secret from {connector.name}: <code className="font-mono text-12">{secretFingerprint}</code>{' '}
          (SHA-256)
        </p>
      ) : isOpen ? (
        <p>
          Waiting for the secret from {connector.name}. The wait ends <Time at={secretUntil!} isExpected />.
        </p>
      ) : (
        <p>{connector.name} didn’t send a secret in time. Its requests are rejected.</p>
      )}
      {canEdit && registration === 'by_hand' && !isOpen && (
        <Button size="small" busy={accept.isPending} onClick={() => accept.mutate()}>
          Accept new secret
        </Button>
      )}
    </div>
  )
}

const LINK = 'underline hover:text-neutral-12'

function EndpointFacts({ endpoint }: { endpoint: ConnectorEndpoint }) {
  const { agentId, agentName, projectId, projectName, owner, events, filter, reply, sessionKey } = endpoint
  const { fields, counts, renewsAt, lastError } = endpoint
  return (
    <dl className="flex flex-col gap-8 text-13">
      <Fact label="Agent">
        <Link to="/agents/$id" params={{ id: agentId }} className={LINK}>
          <Name>{agentName}</Name>
        </Link>
        {' · '}
        <Link to="/projects/$ref" params={{ ref: projectId }} className={LINK}>
          <Name>{projectName}</Name>
        </Link>
      </Fact>
      <Fact label="Runs as">
        <Name>{owner.name}</Name>
      </Fact>
      {Object.entries(fields).map(([key, value]) => (
        <Fact key={key} label={key}>
          <span className="font-mono text-12">{value}</span>
        </Fact>
      ))}
      <Fact label="Events">{events.length === 0 ? t`All` : events.join(', ')}</Fact>
      {filter && (
        <Fact label="Filter">
          <code className="wrap-anywhere font-mono text-12">{filter}</code>
        </Fact>
      )}
      <Fact label="Replies">{REPLIES[reply].label}</Fact>
      <Fact label="Conversation">
        <code className="wrap-anywhere font-mono text-12">{sessionKey}</code>
      </Fact>
      <Fact label="Received">
        {counts.received.toLocaleString(LOCALE)} events, {counts.duplicates.toLocaleString(LOCALE)} repeated,{' '}
        {counts.ignored.toLocaleString(LOCALE)} ignored, {counts.rejected.toLocaleString(LOCALE)} rejected
      </Fact>
      <Fact label="Handled">
        {counts.succeeded.toLocaleString(LOCALE)} succeeded, {counts.failed.toLocaleString(LOCALE)} failed,{' '}
        {counts.waiting.toLocaleString(LOCALE)} waiting
      </Fact>
      {renewsAt && (
        <Fact label="Renewed">
          <Time at={renewsAt} isExpected />
        </Fact>
      )}
      {lastError && (
        <Fact label="Last error">
          <span className="text-bad-text">{lastError.message}</span> <Time at={lastError.at} />
        </Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-12">
      <dt className="w-when shrink-0 text-neutral-11">{label}</dt>
      <dd className="wrap-anywhere min-w-0 flex-1">{children}</dd>
    </div>
  )
}
