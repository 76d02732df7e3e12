import { AGENT_TOOL_NAMES, AGENT_TOOLS } from '../../../../../contract/agents/agent-options.ts'
import { Switch } from '../../../../components/forms/switch.tsx'
import type { FieldsProps } from './fields-props.ts'

export function ToolSwitches({ draft: { tools }, update }: FieldsProps) {
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
