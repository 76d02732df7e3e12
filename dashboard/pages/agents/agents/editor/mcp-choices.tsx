import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MCP_STATES } from '../../../../../contract/agents/mcp-server-options.ts'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import type { Agent } from '../../../../api/agents.ts'
import { type McpServer, mcpServersQuery } from '../../../../api/mcp-servers.ts'
import { Button } from '../../../../components/button.tsx'
import { Switch } from '../../../../components/forms/switch.tsx'
import type { FieldsProps } from './draft.ts'

export function McpChoices({ draft, update, warnings }: FieldsProps & { warnings: Agent['warnings'] }) {
  const servers = useQuery(mcpServersQuery).data?.items
  const { mcpServers } = draft
  const toggle = (id: string, on: boolean) =>
    update({ mcpServers: on ? [...mcpServers, id] : mcpServers.filter((other) => other !== id) })
  const hasMissing = warnings.some(({ path }) => path.startsWith('mcpServers.'))
  const missingIds =
    hasMissing && servers ? mcpServers.filter((id) => !servers.some((server) => server.id === id)) : []
  return (
    <>
      {missingIds.length > 0 && (
        <p className="flex flex-wrap items-center gap-8 text-13 text-warning-text">
          {missingIds.length === 1
            ? t`This agent uses an MCP server that doesn’t exist.`
            : t`This agent uses ${missingIds.length} MCP servers that don’t exist.`}
          <Button
            size="small"
            onClick={() => update({ mcpServers: mcpServers.filter((id) => !missingIds.includes(id)) })}
          >
            Remove
          </Button>
        </p>
      )}
      {servers && servers.length > 0 && (
        <div className="border-neutral-6 border-t">
          {servers.map((server) => {
            const isChosen = mcpServers.includes(server.id)
            return (
              <div key={server.id} className="border-neutral-6 border-b last:border-b-0">
                <div>
                  <Switch
                    label={server.name}
                    description={describe(server)}
                    checked={isChosen}
                    onChange={(on) => toggle(server.id, on)}
                  />
                </div>
                {isChosen && <ToolChoices server={server} draft={draft} update={update} />}
              </div>
            )
          })}
        </div>
      )}
      <Link to="/mcp-servers" className="text-12 text-selection-text hover:underline">
        {servers?.length ? t`Show MCP servers` : t`No MCP servers yet. Open MCP servers`}
      </Link>
    </>
  )
}

function describe({ host, state, toolNames }: McpServer): string {
  const count = toolNames.length === 1 ? t`1 tool` : t`${toolNames.length} tools`
  return [host, count, ...(state === 'ok' ? [] : [MCP_STATES[state].label])].join(' · ')
}

type ToolChoicesProps = Pick<FieldsProps, 'draft' | 'update'> & { server: McpServer }

/** A tool turned off for the agent is a `deny` rule. */
function ToolChoices({ server: { name, toolNames }, draft: { approvals }, update }: ToolChoicesProps) {
  const set = (callName: string, on: boolean) => {
    const { [callName]: _, ...rest } = approvals
    update({ approvals: on ? rest : { ...rest, [callName]: 'deny' } })
  }
  return (
    <fieldset
      aria-label={textWithNames`Tools from ${name}`}
      className="flex flex-wrap gap-x-16 gap-y-4 pb-8 pl-12"
    >
      {toolNames.map((tool) => (
        <label key={tool.callName} className="flex cursor-pointer items-center gap-8 text-13">
          <input
            type="checkbox"
            checked={approvals[tool.callName] !== 'deny'}
            onChange={(event) => set(tool.callName, event.target.checked)}
            className="size-16"
          />
          <span className="wrap-anywhere font-mono text-12">{tool.name}</span>
        </label>
      ))}
    </fieldset>
  )
}
