import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { mcpServersQuery } from '../../../api/mcp-servers.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { AddServerDialog } from './add-server-dialog.tsx'
import { serverColumns } from './server-columns.tsx'
import { SignInProblem } from './sign-in-problem.tsx'

const route = getRouteApi('/app/mcp-servers/')

/** The MCP servers whose tools agents can use. */
export function McpServersPage() {
  const { role } = useSession()
  const { error } = route.useSearch()
  const list = useQuery(mcpServersQuery)
  const items = list.data?.items ?? []
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const isAdmin = role !== 'member'
  const add = () => setAdding(true)
  usePageKeys(isAdmin ? [{ label: 'Add MCP server', keys: 'c', icon: Plus, run: add }] : [])
  const button = isAdmin ? (
    <Button look="primary" onClick={add}>
      Add server
    </Button>
  ) : undefined
  return (
    <Page title="MCP servers" count={items.length > 0 ? items.length : undefined} action={button}>
      <SignInProblem code={error} />
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <Empty icon={Plug} title="No MCP servers yet" action={button}>
          An MCP server gives agents the tools of another system, such as an issue tracker or a database. Its
          tools stay off until an admin has accepted them.
          {!isAdmin && ' Admins of the organization add servers.'}
        </Empty>
      )}
      {items.length > 0 && (
        <Table
          label="MCP servers"
          columns={serverColumns(isAdmin)}
          rows={items}
          rowKey={({ id }) => id}
          version={({ version }) => String(version)}
        />
      )}
      {isAdding && (
        <AddServerDialog
          onClose={() => setAdding(false)}
          onAdded={({ id }) => void navigate({ to: '/mcp-servers/$id', params: { id } })}
        />
      )}
    </Page>
  )
}
