import {
  AGENT_TEMPLATE_NAMES,
  AGENT_TEMPLATES,
  toTemplateSettings,
} from '../../../../contract/agents/agent-templates.ts'

export const listTemplates = async () => ({
  items: AGENT_TEMPLATE_NAMES.map((id) => ({
    id,
    settings: toTemplateSettings(id),
    examples: [...AGENT_TEMPLATES[id].examples],
  })),
})
