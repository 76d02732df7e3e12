import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type McpServer, mcpServersQuery } from '../../../api/mcp-servers.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { AddServerDialog } from './add-server-dialog.tsx'
import { useCheck } from './check-server.ts'
import { NarrowServerStatus, SignInProblem } from './server-states.tsx'

const route = getRouteApi('/app/mcp-servers/')

export function McpServersPage() {
  const { role } = useSession()
  const { error } = route.useSearch()
  const list = useQuery(mcpServersQuery)
  const items = list.data?.items ?? []
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const isAdmin = role !== 'member'
  const add = () => setAdding(true)
  usePageKeys(isAdmin ? [{ label: t`Add MCP server`, keys: 'c', icon: Plus, run: add }] : [])
  const button = isAdmin ? (
    <Button look="primary" onClick={add}>
      Add server
    </Button>
  ) : undefined
  return (
    <Page
      title="MCP servers"
      tabs={<SectionTabs of="integrations" />}
      count={items.length > 0 ? items.length : undefined}
      action={button}
    >
      <SignInProblem code={error} />
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <Empty icon={Plug} title="No MCP servers yet" action={button}>
          An MCP server gives agents tools from another system, such as an issue tracker or database. Tools
          stay off until an admin accepts them.{!isAdmin && t` Admins can add servers.`}
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

/** Only admins see which agents use a server. */
const serverColumns = (isAdmin: boolean): Column<McpServer>[] => [
  {
    header: t`Server`,
    wide: true,
    cell: ({ id, name, host, state, problem }) => (
      <TitleCell
        face={<Mark slug={id} name={name} />}
        note={
          <>
            {host}
            {state === 'failing' && problem && (
              <span title={problem} className="line-clamp-2 whitespace-normal text-bad-text">
                <Name>{problem}</Name>
              </span>
            )}
          </>
        }
      >
        <Link to="/mcp-servers/$id" params={{ id }} data-row-link={id} className={TITLE_LINK}>
          <Name>{name}</Name>
        </Link>
      </TitleCell>
    ),
  },
  { header: t`Status`, cell: ({ state }) => <NarrowServerStatus state={state} /> },
  {
    header: t`Tools`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ toolNames }) => <span className="tabular-nums">{toolNames.length}</span>,
  },
  ...(isAdmin
    ? [
        {
          header: t`Agents`,
          visibleFrom: 'medium',
          cell: ({ agents }: McpServer) => (
            <span className="text-neutral-11" title={agents.map(({ name }) => name).join(', ')}>
              {agents.length === 0
                ? t`None`
                : agents.length === 1
                  ? agents[0]!.name
                  : t`${agents.length} agents`}
            </span>
          ),
        } satisfies Column<McpServer>,
        {
          header: t`Actions`,
          headerHidden: true,
          right: true,
          cell: (server: McpServer) => server.state === 'failing' && <CheckAgain server={server} />,
        } satisfies Column<McpServer>,
      ]
    : []),
]

function CheckAgain({ server }: { server: McpServer }) {
  const check = useCheck(server)
  return (
    <Button
      size="small"
      aria-label={textWithNames`Check ${server.name} again`}
      busy={check.isPending}
      onClick={() => check.mutate()}
      className="relative"
    >
      Check again
    </Button>
  )
}
