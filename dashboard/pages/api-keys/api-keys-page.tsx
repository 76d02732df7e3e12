import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Page } from '../../frame/page.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { firstCall } from './first-call.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

export function ApiKeysPage() {
  const [filter, setFilter] = useState('')
  const [revoking, setRevoking] = useState<ApiKey>()
  const keys = useQuery(apiKeysQuery)
  const items = keys.data?.items ?? []
  const found = items.filter((key) => key.name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <Page
      title="API keys"
      count={keys.data && items.length}
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: 'Filter by name' } : undefined}
      action={items.length > 0 && <NewKeyLink />}
    >
      {keys.isPending && <SkeletonRows rows={3} />}
      {keys.error && !keys.data && <Failure error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.data && items.length === 0 && <NoKeys />}
      {items.length > 0 && (
        <Table
          label="API keys"
          columns={columns(setRevoking)}
          rows={found}
          rowKey={(key) => key.id}
          stamp={(key) => key.lastUsedAt ?? ''}
        />
      )}
      {items.length > 0 && found.length === 0 && (
        <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">No key has that name.</p>
      )}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
      <Outlet />
    </Page>
  )
}

const columns = (onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    header: 'Name',
    wide: true,
    cell: (key) => <span className="block truncate font-medium">{key.name}</span>,
  },
  {
    header: 'Key',
    cell: (key) => (
      <code className="whitespace-nowrap font-mono text-12 text-neutral-11">
        {key.prefix}…{key.lastFour}
      </code>
    ),
  },
  { header: 'Scopes', from: 'wide', cell: (key) => <Scopes scopes={key.scopes} /> },
  {
    header: 'Last used',
    right: true,
    from: 'roomy',
    cell: (key) => (
      <span className="text-neutral-11">{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'never'}</span>
    ),
  },
  {
    header: 'Created',
    right: true,
    from: 'wide',
    cell: (key) => (
      <span className="text-neutral-11">
        <Time at={key.createdAt} />
      </span>
    ),
  },
  {
    header: 'Actions',
    nameless: true,
    right: true,
    cell: (key) => (
      <Button size="small" look="quiet" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
        Revoke
      </Button>
    ),
  },
]

const SCOPES_SHOWN_MAX = 3

function Scopes({ scopes }: { scopes: string[] }) {
  const rest = scopes.slice(SCOPES_SHOWN_MAX)
  return (
    <span className="flex gap-4">
      {scopes.slice(0, SCOPES_SHOWN_MAX).map((scope) => (
        <Badge key={scope} mono>
          {scope}
        </Badge>
      ))}
      {rest.length > 0 && (
        <span title={rest.join(', ')} className="text-12 text-neutral-11">
          +{rest.length}
        </span>
      )}
      {scopes.length === 0 && <span className="text-neutral-11">none</span>}
    </span>
  )
}

function NewKeyLink() {
  return (
    <Link to="/settings/api-keys/new" className={buttonClass('primary')}>
      New key
    </Link>
  )
}

function NoKeys() {
  return (
    <Empty
      icon={KeyRound}
      title="Keys let programs and agents work in your name"
      action={<NewKeyLink />}
      command={firstCall('$ATRIUM_API_KEY')}
      commandLead="With a key, the first call looks like this:"
    >
      Each key opens only what its scopes say, and can be revoked at once.
    </Empty>
  )
}
