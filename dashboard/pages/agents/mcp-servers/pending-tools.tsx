import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { failureMessage } from '../../../api/explain.ts'
import {
  cacheMcpServer,
  type McpDefinition,
  type McpServerDetails,
  type McpTool,
  mcpServerApi,
  refreshMcpServers,
} from '../../../api/mcp-servers.ts'
import { Button } from '../../../components/button.tsx'
import { SideBySide } from '../../../components/diff/diff.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { ToolStatus } from './server-states.tsx'

const PENDING = ['new', 'changed', 'removed']

/** New, changed or removed tools. An admin decides which ones agents can use. */
export function PendingTools({ server }: { server: McpServerDetails }) {
  const pendingTools = server.tools.filter(({ state }) => PENDING.includes(state))
  const isFirst = server.tools.every(({ accepted }) => accepted === null)
  // Nothing is preselected: a changed tool needs a new decision, even if it was allowed.
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
      toast(t`Tools saved`)
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
      title={isFirst ? t`Choose tools` : t`Changed tools`}
      lead="Models read these descriptions and schemas, which come from the server. Review them before you allow a tool."
    >
      {offered.length > 1 && (
        <div>
          <Button
            size="small"
            onClick={() => setChosenNames(new Set(areAllChosen ? [] : offered.map(nameOf)))}
          >
            {areAllChosen ? t`Allow none` : t`Allow all ${offered.length}`}
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
    ? t`None selected: all tools stay off.`
    : count === 1
      ? t`1 tool will be turned on.`
      : t`${count} tools will be turned on.`

const nameOf = ({ name }: McpTool) => name

interface PendingToolProps {
  tool: McpTool
  allowed: boolean
  onToggle: (allowed: boolean) => void
}

function PendingTool({ tool, allowed, onToggle }: PendingToolProps) {
  const { name, state, accepted, current } = tool
  return (
    <li className="flex flex-col gap-8 rounded-panel border border-neutral-6 p-12">
      <div className="flex min-w-0 items-center gap-8">
        <code className="wrap-anywhere min-w-0 flex-1 font-medium font-mono text-13">{name}</code>
        <ToolStatus state={state} />
      </div>
      {current && accepted && (
        <SideBySide before={textOf(accepted)} after={textOf(current)} labels={[t`Accepted`, t`Current`]} />
      )}
      {current && !accepted && <Definition definition={current} />}
      {!current && (
        <p className="text-13 text-neutral-11">
          The server no longer lists this tool. Accept to remove it here.
        </p>
      )}
      {current && (
        <Switch
          label={textWithNames`Allow ${name}`}
          description="Agents that use this server can call it."
          checked={allowed}
          onChange={onToggle}
        />
      )}
    </li>
  )
}

export function Definition({ definition }: { definition: McpDefinition }) {
  const { title, description, inputSchema } = definition
  return (
    <>
      {title && <p className="wrap-anywhere font-medium text-13">{title}</p>}
      <p className="wrap-anywhere max-h-panel-max overflow-y-auto whitespace-pre-wrap text-13 text-neutral-11">
        {description || t`No description`}
      </p>
      <Hints definition={definition} />
      <details>
        <summary className="w-fit cursor-pointer text-12 text-neutral-11 hover:text-neutral-12">
          Input schema
        </summary>
        <pre className="wrap-anywhere mt-8 max-h-panel-max overflow-auto whitespace-pre-wrap rounded-control border border-neutral-6 p-8 font-mono text-12">
          {JSON.stringify(inputSchema, null, 2)}
        </pre>
      </details>
    </>
  )
}

const HINTS: Record<keyof McpDefinition['annotations'], { yes: string; no: string }> = {
  readOnlyHint: { yes: t`read-only`, no: t`not read-only` },
  destructiveHint: { yes: t`destructive`, no: t`not destructive` },
  idempotentHint: { yes: t`idempotent`, no: t`not idempotent` },
  openWorldHint: { yes: t`open world`, no: t`closed world` },
}

function Hints({ definition: { annotations } }: { definition: McpDefinition }) {
  const hints = (Object.keys(HINTS) as (keyof typeof HINTS)[]).filter((hint) => annotations[hint] !== null)
  if (hints.length === 0) return null
  const words = hints.map((hint) => HINTS[hint][annotations[hint] ? 'yes' : 'no'])
  return <p className="text-12 text-neutral-11">Server hints: {words.join(', ')}</p>
}

/** Everything the hash covers, one fact per line. */
const textOf = ({ title, description, annotations, inputSchema }: McpDefinition) =>
  [
    ...(title ? [t`Title: ${title}`] : []),
    description,
    ...Object.entries(annotations).flatMap(([hint, value]) => (value === null ? [] : [`${hint}: ${value}`])),
    JSON.stringify(inputSchema, null, 2),
  ].join('\n')
