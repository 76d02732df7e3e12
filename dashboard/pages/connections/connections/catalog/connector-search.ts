import type { Connector } from '../../../../api/connections/connections.ts'
import { localizeConnectorText } from '../../../../components/connectors/connector-texts.ts'

/** Whether every word occurs in the name, the description or a tool. */
export function matchesSearch({ name, slug, description, tools }: Connector, search: string): boolean {
  const text = [
    name,
    slug,
    localizeConnectorText(description),
    ...tools.map((tool) => `${tool.name} ${tool.description}`),
  ]
    .join(' ')
    .toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
