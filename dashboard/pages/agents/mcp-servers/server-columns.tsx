import { Link } from '@tanstack/react-router'
import type { McpServer } from '../../../api/mcp-servers.ts'
import { Name } from '../../../components/name.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { ServerStatus } from './server-states.tsx'

/** Only admins see which agents use a server. */
export const serverColumns = (isAdmin: boolean): Column<McpServer>[] => [
  {
    header: 'Server',
    wide: true,
    cell: ({ id, name, host }) => (
      <span className="block min-w-0">
        <Link
          to="/mcp-servers/$id"
          params={{ id }}
          data-row-link={id}
          className="row-link block max-w-full truncate font-medium outline-none"
        >
          <Name>{name}</Name>
        </Link>
        <span className="block truncate text-12 text-neutral-11">{host}</span>
      </span>
    ),
  },
  { header: 'State', cell: ({ state }) => <ServerStatus state={state} /> },
  {
    header: 'Tools',
    right: true,
    visibleFrom: 'medium',
    cell: ({ toolNames }) => <span className="tabular-nums">{toolNames.length}</span>,
  },
  ...(isAdmin
    ? [
        {
          header: 'Agents',
          visibleFrom: 'medium',
          cell: ({ agents }: McpServer) => (
            <span className="text-neutral-11" title={agents.map(({ name }) => name).join(', ')}>
              {agents.length === 0
                ? 'None'
                : agents.length === 1
                  ? agents[0]!.name
                  : `${agents.length} agents`}
            </span>
          ),
        } satisfies Column<McpServer>,
      ]
    : []),
]
