import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../api/explain.ts'
import {
  cacheMcpServer,
  type McpServerDetails,
  type McpTool,
  mcpServerApi,
  refreshMcpServers,
} from '../../../api/mcp-servers.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { PendingTool } from './pending-tool.tsx'

const PENDING = ['new', 'changed', 'removed']

/** The tools that are new, changed or removed: a person reviews them and decides which of them agents can use. */
export function PendingTools({ server }: { server: McpServerDetails }) {
  const pendingTools = server.tools.filter(({ state }) => PENDING.includes(state))
  const isFirst = server.tools.every(({ accepted }) => accepted === null)
  // No tool is preselected: a changed tool needs a new decision, even if it was allowed.
  const [chosenNames, setChosenNames] = useState<ReadonlySet<string>>(new Set())
  const accept = useMutation({
    mutationFn: () =>
      mcpServerApi.mcpServers.accept({
        id: server.id,
        tools: pendingTools.map(({ name, hash }) => ({
          name,
          hash,
          allow: hash !== null && chosenNames.has(name),
        })),
      }),
    onSuccess: async (changed) => {
      await cacheMcpServer(changed)
      toast('Saved the tools')
    },
    onError: () => void refreshMcpServers(),
  })
  if (pendingTools.length === 0) return null
  const toggle = (name: string, on: boolean) => {
    const next = new Set(chosenNames)
    if (on) next.add(name)
    else next.delete(name)
    setChosenNames(next)
  }
  const offered = pendingTools.filter(({ hash }) => hash !== null)
  const areAllChosen = offered.length > 0 && offered.every(({ name }) => chosenNames.has(name))
  return (
    <Section
      title={isFirst ? 'Choose tools' : 'Changed tools'}
      lead="Descriptions and schemas come from the server, and models read them. Allow a tool only if you agree with its description."
    >
      {offered.length > 1 && (
        <div>
          <Button
            size="small"
            onClick={() => setChosenNames(new Set(areAllChosen ? [] : offered.map(nameOf)))}
          >
            {areAllChosen ? 'Allow none' : `Allow all ${offered.length}`}
          </Button>
        </div>
      )}
      <ul aria-label="Tools to review" className="flex flex-col gap-12">
        {pendingTools.map((tool) => (
          <PendingTool
            key={tool.name}
            tool={tool}
            allowed={chosenNames.has(tool.name)}
            onToggle={(on) => toggle(tool.name, on)}
          />
        ))}
      </ul>
      <FormFailure>{failureMessage(accept.error)}</FormFailure>
      <div className="flex flex-wrap items-center gap-12">
        <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
          Accept
        </Button>
        <span className="text-12 text-neutral-11">{describe(chosenNames.size)}</span>
      </div>
    </Section>
  )
}

const describe = (count: number) =>
  count === 0
    ? 'No tool is chosen: all of these stay off.'
    : `${count === 1 ? '1 tool is' : `${count} tools are`} on afterwards.`

const nameOf = ({ name }: McpTool) => name
