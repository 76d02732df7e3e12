import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { McpDefinition, McpTool } from '../../../api/mcp-servers.ts'
import { SideBySide } from '../../../components/diff/diff.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { ToolStatus } from './server-states.tsx'

interface PendingToolProps {
  tool: McpTool
  allowed: boolean
  onToggle: (allowed: boolean) => void
}

/** The definition of a tool on the server, beside the accepted one if it exists. */
export function PendingTool({ tool, allowed, onToggle }: PendingToolProps) {
  const { name, state, accepted, current } = tool
  return (
    <li className="flex flex-col gap-8 rounded-panel border border-neutral-6 p-12">
      <div className="flex min-w-0 items-center gap-8">
        <code className="wrap-anywhere min-w-0 flex-1 font-medium font-mono text-13">{name}</code>
        <ToolStatus state={state} />
      </div>
      {current && accepted && (
        <SideBySide before={textOf(accepted)} after={textOf(current)} labels={['Accepted', 'Listed now']} />
      )}
      {current && !accepted && <Definition definition={current} />}
      {!current && (
        <p className="text-13 text-neutral-11">
          The server no longer lists this tool. Accepting removes it here.
        </p>
      )}
      {current && (
        <Switch
          label={textWithNames`Allow ${name}`}
          description="Agents that list this server can use it."
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
      <p className="wrap-anywhere max-h-tall overflow-y-auto whitespace-pre-wrap text-13 text-neutral-11">
        {description || 'No description'}
      </p>
      <Hints definition={definition} />
      <details>
        <summary className="w-fit cursor-pointer text-12 text-neutral-11 hover:text-neutral-12">
          Input schema
        </summary>
        <pre className="wrap-anywhere mt-8 max-h-tall overflow-auto whitespace-pre-wrap rounded-control border border-neutral-6 p-8 font-mono text-12">
          {JSON.stringify(inputSchema, null, 2)}
        </pre>
      </details>
    </>
  )
}

const HINTS: Record<keyof McpDefinition['annotations'], string> = {
  readOnlyHint: 'read-only',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'open world',
}

function Hints({ definition: { annotations } }: { definition: McpDefinition }) {
  const hints = (Object.keys(HINTS) as (keyof typeof HINTS)[]).filter((hint) => annotations[hint] !== null)
  if (hints.length === 0) return null
  const words = hints.map((hint) => `${annotations[hint] ? '' : 'not '}${HINTS[hint]}`)
  return <p className="text-12 text-neutral-11">Hints of the server: {words.join(', ')}</p>
}

/** Everything that the hash covers, one fact per line. */
const textOf = ({ title, description, annotations, inputSchema }: McpDefinition) =>
  [
    ...(title ? [`Title: ${title}`] : []),
    description,
    ...Object.entries(annotations).flatMap(([hint, value]) => (value === null ? [] : [`${hint}: ${value}`])),
    JSON.stringify(inputSchema, null, 2),
  ].join('\n')
