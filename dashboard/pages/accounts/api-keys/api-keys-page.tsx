import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Scope } from '../../../../contract/accounts/scopes.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { NoRowsMatch } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { type ApiKey, apiKeysQuery } from './api-keys-queries.ts'
import { exampleRequest } from './example-request.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyDetails } from './key-details.tsx'
import { ScopePicker, ScopeReference } from './scopes.tsx'

const route = getRouteApi('/app/settings/api-keys')

export function ApiKeysPage() {
  const { q = '' } = route.useSearch()
  const { typed: filter, setTyped: setFilter } = useSearchInput(q)
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
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: t`Filter by name` } : undefined}
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
      {items.length > 0 && matchingKeys.length === 0 && <NoRowsMatch>No keys match your filter.</NoRowsMatch>}
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
      commandLead={t`Example request:`}
    >
      Use API keys to access Atrium from scripts and agents. A key has your permissions; limit it with scopes,
      or make it read-only.
    </Empty>
  )
}

function ScopesDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [scopes, setScopes] = useState(apiKey.scopes as Scope[])
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => api.apiKeys.update({ id: apiKey.id, scopes }),
    onSuccess: () => {
      onClose()
      toast(withNames`Updated scopes for ${apiKey.name}`)
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    },
  })

  const isChanged =
    scopes.length !== apiKey.scopes.length || scopes.some((scope) => !apiKey.scopes.includes(scope))
  return (
    <Dialog title={withNames`Scopes for “${apiKey.name}”`} onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <p className="text-neutral-11">The key itself stays the same. Changes apply from its next request.</p>
        <FormFailure>{failureMessage(save.error)}</FormFailure>
        <ScopePicker selected={scopes} onChange={setScopes} readOnly={apiKey.readOnly} />
        <div className="flex justify-end gap-8">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={save.isPending} disabled={!isChanged}>
            Save scopes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Revoke key"
      phrase={apiKey.name}
      action="Revoke key"
      mutate={() => api.apiKeys.revoke({ id: apiKey.id })}
      invalidates={[apiKeysQuery.queryKey]}
      success={withNames`Revoked ${apiKey.name}`}
      onClose={onClose}
    >
      <p>
        Requests with{' '}
        <code className="whitespace-nowrap font-mono text-12 text-neutral-12">
          {apiKey.prefix}…{apiKey.lastFour}
        </code>{' '}
        will be rejected immediately.{' '}
        {apiKey.lastUsedAt ? (
          <>
            Last used <Time at={apiKey.lastUsedAt} />.
          </>
        ) : (
          t`It has never been used.`
        )}
      </p>
      <p>This can’t be undone.</p>
    </ConfirmDialog>
  )
}
