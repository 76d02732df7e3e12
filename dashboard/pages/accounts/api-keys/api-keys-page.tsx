import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { exampleRequest } from './example-request.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyDetails } from './key-details.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { ScopeReference } from './scope-reference.tsx'
import { ScopesDialog } from './scopes-dialog.tsx'

export function ApiKeysPage() {
  const [filter, setFilter] = useState('')
  const [opened, setOpened] = useState<string>()
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey>()
  const [keyToEdit, setKeyToEdit] = useState<ApiKey>()
  const keys = useQuery(apiKeysQuery)
  const items = keys.data?.items ?? []
  const matchingKeys = items.filter((key) => key.name.toLowerCase().includes(filter.trim().toLowerCase()))
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
          columns={keyColumns({ opened, setOpened, onEditScopes: setKeyToEdit, onRevoke: setKeyToRevoke })}
          rows={matchingKeys}
          rowKey={(key) => key.id}
          version={(key) => [key.lastUsedAt, key.name, ...key.scopes].join()}
          below={(key) => key.id === opened && <KeyDetails apiKey={key} />}
        />
      )}
      {items.length > 0 && matchingKeys.length === 0 && (
        <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">No keys match your filter.</p>
      )}
      {items.length > 0 && <ScopeReference />}
      {keyToEdit && <ScopesDialog apiKey={keyToEdit} onClose={() => setKeyToEdit(undefined)} />}
      {keyToRevoke && <RevokeDialog apiKey={keyToRevoke} onClose={() => setKeyToRevoke(undefined)} />}
      <Outlet />
    </Page>
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
      Use API keys to access Atrium from scripts and agents. A key has your permissions. Scopes limit its
      access to files, models, changes to agents, connections, API keys, machine payments and MCP, and a
      read-only key changes nothing.
    </Empty>
  )
}
