import { AGENT_TOOL_NAMES, AGENT_TOOLS } from '../../../../../contract/agents/agent-options.ts'
import type { Agent } from '../../../../api/agents.ts'
import { Switch } from '../../../../components/forms/switch.tsx'
import { ConnectorChoices } from './connector-choices.tsx'
import type { FieldsProps } from './draft.ts'
import { KnowledgeChoices } from './knowledge-choices.tsx'
import { McpChoices } from './mcp-choices.tsx'
import { SettingGroup } from './setting-group.tsx'
import { SkillChoices } from './skill-choices.tsx'
import { WebChoices } from './web-choices.tsx'

export const ToolsTab = ({ warnings, ...fields }: FieldsProps & { warnings: Agent['warnings'] }) => (
  <>
    <SettingGroup
      title="In this workspace"
      lead="The agent never has more permissions than the member who starts it."
    >
      <ToolSwitches {...fields} />
    </SettingGroup>
    <SettingGroup
      title="Knowledge"
      lead="What the agent searches to answer questions, and cites. Members’ own access applies to each passage."
    >
      <KnowledgeChoices {...fields} />
    </SettingGroup>
    {fields.draft.tools.web && (
      <SettingGroup
        title="Web"
        lead="After reading a page, the agent asks before each further search, and before addresses that no search found."
      >
        <WebChoices {...fields} />
      </SettingGroup>
    )}
    <SettingGroup
      title="Apps"
      lead="Used with shared connections, or those of the member who starts the agent."
    >
      <ConnectorChoices {...fields} />
    </SettingGroup>
    <SettingGroup
      title="MCP servers"
      lead="Tools from other systems. Their output is untrusted, so the agent asks before risky actions after using one."
    >
      <McpChoices {...fields} warnings={warnings} />
    </SettingGroup>
    <SettingGroup
      title="Skills"
      lead="The agent sees skill names and descriptions, and reads a skill when a task needs it."
    >
      <SkillChoices {...fields} warnings={warnings} />
    </SettingGroup>
  </>
)

function ToolSwitches({ draft: { tools }, update }: FieldsProps) {
  return (
    <div className="border-neutral-6 border-t">
      {AGENT_TOOL_NAMES.map((name) => (
        <Switch
          key={name}
          label={AGENT_TOOLS[name].label}
          description={AGENT_TOOLS[name].description}
          checked={tools[name]}
          onChange={(on) => update({ tools: { ...tools, [name]: on } })}
        />
      ))}
    </div>
  )
}
