import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { SCOPES } from '../../../contract/accounts/scopes.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { CopyId } from '../../components/copy.tsx'
import { Rename } from '../../components/dialogs/rename.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Name } from '../../components/name.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { RowToggle } from '../../components/table/row-toggle.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { timeColumn } from '../../components/table/time-column.tsx'
import { Time } from '../../components/time.tsx'
import { Page } from '../../frame/page.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { exampleRequest } from './example-request.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import { ScopeReference } from './scope-reference.tsx'
import { ScopesDialog } from './scopes-dialog.tsx'

export function ApiKeysPage() {
  const [filter, setFilter] = useState('')
  const [opened, setOpened] = useState<string>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const [editingScopes, setEditingScopes] = useState<ApiKey>()
  const keys = useQuery(apiKeysQuery)
  const items = keys.data?.items ?? []
  const found = items.filter((key) => key.name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <Page
      title="API keys"
      count={keys.data && items.length}
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: 'Filter by name' } : undefined}
      action={items.length > 0 && <NewKeyLink />}
      tabs={<SettingsTabs />}
    >
      {keys.isPending && <SkeletonRows rows={3} />}
      {keys.error && !keys.data && <Failure error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.data && items.length === 0 && <NoKeys />}
      {items.length > 0 && (
        <Table
          label="API keys"
          columns={columns({ opened, setOpened, onEditScopes: setEditingScopes, onRevoke: setRevoking })}
          rows={found}
          rowKey={(key) => key.id}
          stamp={(key) => [key.lastUsedAt, key.name, ...key.scopes].join()}
          below={(key) => key.id === opened && <Details apiKey={key} />}
        />
      )}
      {items.length > 0 && found.length === 0 && (
        <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">No keys match your filter.</p>
      )}
      {items.length > 0 && <ScopeReference />}
      {editingScopes && <ScopesDialog apiKey={editingScopes} onClose={() => setEditingScopes(undefined)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
      <Outlet />
    </Page>
  )
}

interface RowActions {
  opened: string | undefined
  setOpened: (id: string | undefined) => void
  onEditScopes: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

const columns = ({ opened, setOpened, onEditScopes, onRevoke }: RowActions): Column<ApiKey>[] => [
  {
    header: 'Name',
    wide: true,
    cell: (key) => (
      <RowToggle
        id={key.id}
        opened={key.id === opened}
        onToggle={() => setOpened(key.id === opened ? undefined : key.id)}
      >
        <KeyName apiKey={key} />
      </RowToggle>
    ),
  },
  {
    header: 'Key',
    from: 'roomy',
    cell: (key) => (
      <code className="whitespace-nowrap font-mono text-12 text-neutral-11">
        {key.prefix}…{key.lastFour}
      </code>
    ),
  },
  { header: 'Scopes', from: 'wide', cell: (key) => <Scopes apiKey={key} /> },
  timeColumn('Last used', (key) => key.lastUsedAt, { from: 'roomy' }),
  timeColumn('Created', (key) => key.createdAt, { from: 'wide' }),
  {
    header: 'Actions',
    headerHidden: true,
    right: true,
    cell: (key) => (
      <span className="relative inline-flex gap-4">
        <Button
          size="small"
          look="quiet"
          aria-label={textWithNames`Edit scopes of ${key.name}`}
          onClick={() => onEditScopes(key)}
        >
          Scopes
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-label={textWithNames`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      </span>
    ),
  },
]

/** In narrow lists, the values of the hidden columns are shown below the name. */
function KeyName({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className="min-w-0">
      <span className="block truncate font-medium">
        <Name>{apiKey.name}</Name>
      </span>
      <span className="line-clamp-2 break-words text-12 text-neutral-11 @wide:hidden">
        {[...(apiKey.readOnly ? ['Read only'] : []), ...apiKey.scopes].join(', ') || 'No scopes'}
      </span>
      <span className="block text-12 text-neutral-11 @roomy:hidden">
        <code className="font-mono">…{apiKey.lastFour}</code> ·{' '}
        {apiKey.lastUsedAt ? (
          <>
            Last used <Time at={apiKey.lastUsedAt} />
          </>
        ) : (
          'Never used'
        )}
      </span>
    </span>
  )
}

function Details({ apiKey }: { apiKey: ApiKey }) {
  const queries = useQueryClient()
  const rename = async (name: string) => {
    await api.apiKeys.update({ id: apiKey.id, name })
    await queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
  }
  return (
    <div className="flex flex-col items-start gap-8 text-13 text-neutral-11">
      <Rename name={apiKey.name} maxLength={120} onRename={rename} />
      <Scopes apiKey={apiKey} all />
      <p>
        Created <Time at={apiKey.createdAt} /> ·{' '}
        {apiKey.lastUsedAt ? (
          <>
            Last used <Time at={apiKey.lastUsedAt} />
          </>
        ) : (
          'Never used'
        )}
      </p>
      <p className="flex items-center gap-8">
        Key ID <CopyId id={apiKey.id} what="key ID" />
      </p>
    </div>
  )
}

const SCOPES_SHOWN_MAX = 2

function Scopes({ apiKey: { scopes, readOnly }, all }: { apiKey: ApiKey; all?: boolean }) {
  const shown = all ? scopes : scopes.slice(0, SCOPES_SHOWN_MAX)
  const rest = scopes.slice(shown.length)
  return (
    <span className={`flex gap-4 ${all ? 'flex-wrap' : ''}`}>
      {readOnly && <Badge>Read only</Badge>}
      {shown.map((scope) => (
        <span key={scope} title={(SCOPES as Record<string, string>)[scope]}>
          <Badge mono>{scope}</Badge>
        </span>
      ))}
      {rest.length > 0 && (
        <span title={rest.join(', ')} className="text-12 text-neutral-11">
          +{rest.length}
        </span>
      )}
      {scopes.length === 0 && !readOnly && <span className="text-neutral-11">No scopes</span>}
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
      title="No keys yet"
      action={<NewKeyLink />}
      command={exampleRequest('$ATRIUM_API_KEY')}
      commandLead="Example request:"
    >
      Use API keys to access Atrium from scripts and agents. A key has your permissions: scopes limit the
      endpoints for files and API keys, and a read-only key changes nothing.
    </Empty>
  )
}
