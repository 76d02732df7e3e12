import { useMutation } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { failureMessage } from '../../../api/explain.ts'
import {
  cacheMcpServer,
  type McpServerDetails,
  type McpTool,
  mcpServerApi,
} from '../../../api/mcp-servers.ts'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { Definition } from './pending-tools.tsx'
import { ToolStatus } from './server-states.tsx'

const DECIDED = ['on', 'off', 'unusable']

export function ToolList({ server }: { server: McpServerDetails }) {
  const tools = server.tools.filter(({ state }) => DECIDED.includes(state))
  const save = useMutation({
    mutationFn: (change: { allow?: string[]; approvals?: McpServerDetails['approvals'] }) =>
      mcpServerApi.mcpServers.update({ id: server.id, ...change }),
    onSuccess: cacheMcpServer,
    onError: (error) => toast(failureMessage(error) ?? t`Change not saved`),
  })
  if (tools.length === 0) return null
  const allow = (name: string, on: boolean) => {
    const allowed = server.tools.filter((tool) => tool.allowed && tool.accepted).map((tool) => tool.name)
    save.mutate({ allow: on ? [...allowed, name] : allowed.filter((other) => other !== name) })
  }
  const setRule = (name: string, rule: Rule) => {
    const { [name]: _, ...rest } = server.approvals
    save.mutate({ approvals: rule === 'risk' ? rest : { ...rest, [name]: rule } })
  }
  return (
    <Section
      title="Tools"
      lead="Calls need approval unless a rule allows them. Once an agent has read untrusted content, every risky call needs approval."
    >
      <ul aria-label="Tools" className="border-neutral-6 border-t">
        {tools.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            rule={server.approvals[tool.name] ?? 'risk'}
            onAllow={(on) => allow(tool.name, on)}
            onRule={(rule) => setRule(tool.name, rule)}
          />
        ))}
      </ul>
    </Section>
  )
}

type Rule = 'risk' | 'ask' | 'allow'

interface ToolRowProps {
  tool: McpTool
  rule: Rule
  onAllow: (on: boolean) => void
  onRule: (rule: Rule) => void
}

function ToolRow({ tool, rule, onAllow, onRule }: ToolRowProps) {
  const { name, callName, state, risk, problem, accepted, current } = tool
  const riskLabel = risk === 'none' ? t`Runs without approval` : t`Needs approval (sends data outside)`
  return (
    <li className="flex flex-col gap-4 border-neutral-6 border-b py-4">
      {state === 'unusable' ? (
        <div className="flex items-center gap-8 py-8">
          <span className="wrap-anywhere min-w-0 flex-1 font-medium text-13">{name}</span>
          <ToolStatus state={state} />
        </div>
      ) : (
        <Switch label={name} description={callName} checked={state === 'on'} onChange={onAllow} />
      )}
      {problem && <p className="text-12 text-bad-text">{problem}</p>}
      <div className="flex flex-wrap items-start justify-between gap-8">
        <details className="min-w-0 flex-1 basis-qr">
          <summary className="w-fit cursor-pointer text-12 text-neutral-11 hover:text-neutral-12">
            Description and input
          </summary>
          <div className="flex flex-col gap-8 py-8">
            <Definition definition={(accepted ?? current)!} />
          </div>
        </details>
        {state === 'on' && (
          <InlineSelect<Rule>
            label={textWithNames`Approval for ${name}`}
            value={rule}
            options={[
              { value: 'risk', label: riskLabel },
              { value: 'ask', label: t`Always needs approval` },
              { value: 'allow', label: t`Allowed` },
            ]}
            onChoose={onRule}
          />
        )}
      </div>
    </li>
  )
}
