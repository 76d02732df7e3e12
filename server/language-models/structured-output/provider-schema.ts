import type { ModelProvider } from '../provider.ts'
import { isNullable, type StrictNode, typesOf } from './strict-schema.ts'

type ProviderKind = ModelProvider['kind'] | 'test'

/** The SDK adapts the schema for Anthropic and Google. */
export const providerSchema = (kind: ProviderKind, schema: StrictNode): StrictNode =>
  kind === 'anthropic' || kind === 'google' ? schema : openAiSchema(schema)

/**
 * OpenAI's strict mode refuses optional properties and some constraints. Optional ones become required and nullable;
 * the model reads the constraints in the description, and its answer is checked in any case.
 */
function openAiSchema(node: StrictNode): StrictNode {
  const { minLength, maxLength, ...kept } = node
  const { format, ...withoutFormat } = kept
  const isKnownFormat = format !== 'uri'
  const notes = [
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    !isKnownFormat && 'a URI',
  ].filter(Boolean)
  const words = [node.description, notes.length > 0 && `Must be ${notes.join(', ')}.`]
    .filter(Boolean)
    .join(' ')
  const described: StrictNode = {
    ...(isKnownFormat ? kept : withoutFormat),
    ...(words && { description: words }),
  }
  if (node.anyOf) return { ...described, anyOf: node.anyOf.map(openAiSchema) }
  if (node.items) return { ...described, items: openAiSchema(node.items) }
  if (!node.properties) return described
  const required = node.required ?? []
  const properties = Object.entries(node.properties).map(([name, child]): [string, StrictNode] => {
    const sent = openAiSchema(child)
    return [name, required.includes(name) || isNullable(child) ? sent : withNull(sent)]
  })
  return {
    ...described,
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  }
}

function withNull(node: StrictNode): StrictNode {
  if (node.anyOf) return { ...node, anyOf: [...node.anyOf, { type: 'null' }] }
  const { const: constant, enum: values, ...rest } = node
  const allowed = values ?? (constant === undefined ? undefined : [constant])
  return { ...rest, type: [...typesOf(node), 'null'], ...(allowed && { enum: [...allowed, null] }) }
}
