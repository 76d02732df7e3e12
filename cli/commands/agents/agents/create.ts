import {
  AGENT_TEMPLATES,
  type AgentTemplateName,
  toTemplateSettings,
} from '../../../../contract/agents/agent-templates.ts'
import { agents } from '../../../../contract/agents/agents.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'

interface CreateOptions {
  server?: string
  json?: boolean
  template: AgentTemplateName
  name?: string
  model?: string
}

export async function createFromTemplate(options: CreateOptions, environment: CliEnvironment): Promise<void> {
  const { template, name, model } = options
  const { server, client } = await connect(options.server, environment)
  const settings = {
    ...toTemplateSettings(template),
    ...(name !== undefined && { name }),
    ...(model !== undefined && { model }),
  }
  const agent = await parseResponse(server, agents.create, client.agents.create(settings))
  if (options.json) return printData(agent)
  print(agent.id)
  printMessage(`Created ${sanitize(agent.name)}: ${server}/agents/${agent.id}`)
  for (const slug of agent.allowedConnectors)
    printMessage(`It uses ${sanitize(slug)}: connect it under ${server}/integrations`)
  printMessage('Try:')
  for (const example of AGENT_TEMPLATES[template].examples) printMessage(`  ${example}`)
}
