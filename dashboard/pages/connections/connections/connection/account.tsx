import type { ReactNode } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import type { Connection } from '../../../../api/connections.ts'
import { accountName, ConnectionStatus } from '../../../../components/connectors/connection-labels.tsx'
import { Mark } from '../../../../components/connectors/mark.tsx'
import { Name } from '../../../../components/name.tsx'
import { Section } from '../../../../components/section.tsx'
import { Time } from '../../../../components/time.tsx'
import { capitalize } from '../../../../state/label-in-sentence.ts'

export function Account({ connection, isOwn }: { connection: Connection; isOwn: boolean }) {
  const { connectorSlug, connector, account, config, owner, status } = connection
  const { createdAt, lastUsedAt, lastRefreshAt, expiresAt, heldCount } = connection
  const name = accountName(connection)
  return (
    <Section title="Account" lead="Agents act with this account’s permissions.">
      <div className="flex min-w-0 items-center gap-12">
        <Mark slug={connectorSlug} name={connector.name} size="large" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">
            {name ? <Name>{name}</Name> : <span className="text-neutral-11">No account yet</span>}
          </p>
          {account?.email && account.email !== name && (
            <p className="truncate text-13 text-neutral-11">{account.email}</p>
          )}
        </div>
        <ConnectionStatus status={status} />
      </div>
      <dl className="grid gap-x-32 border-neutral-6 border-t text-13 @medium:grid-cols-2">
        <Fact label="Last used">{lastUsedAt ? <Time at={lastUsedAt} /> : t`Never`}</Fact>
        <Fact label="Held events">{heldCount.toLocaleString(LOCALE)}</Fact>
        <Fact label="Last refresh">{lastRefreshAt ? <Time at={lastRefreshAt} /> : t`Not yet`}</Fact>
        <Fact label="Access expires">
          {expiresAt ? (
            <span title="Renewed automatically before it expires">
              <Time at={expiresAt} isExpected />
            </span>
          ) : (
            t`Never`
          )}
        </Fact>
        <Fact label="Connected">
          <Time at={createdAt} />
        </Fact>
        {!isOwn && (
          <Fact label="Owner">
            <Name>{owner.name}</Name>
          </Fact>
        )}
        {Object.entries(config).map(([key, value]) => (
          <Fact key={key} label={labelOf(key)}>
            <span className="truncate font-mono text-12">{value}</span>
          </Fact>
        ))}
      </dl>
    </Section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-row items-center justify-between gap-16 border-neutral-6 border-b">
      <dt className="shrink-0 text-neutral-11">{label}</dt>
      <dd className="min-w-0 truncate text-right">{children}</dd>
    </div>
  )
}

/** `baseUrl` becomes `Base url`. */
const labelOf = (key: string) =>
  capitalize(
    key
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[_-]+/g, ' ')
      .toLowerCase(),
  )
